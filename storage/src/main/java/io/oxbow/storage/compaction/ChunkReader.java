// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.compaction;

import io.oxbow.base.error.CorruptException;
import io.oxbow.base.file.StoreFile;
import java.nio.ByteBuffer;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.record.internal.Records;

/**
 * Reads a segment's batches in chunks of whole batches. The buffer grows to the largest batch that
 * is met and is used again for the next chunk. Used by one thread.
 */
final class ChunkReader {
    private final CompactionPace pace;
    private ByteBuffer buffer;

    /**
     * @param chunkBytes bytes to read at once while batches are smaller
     */
    ChunkReader(int chunkBytes, CompactionPace pace) {
        this.pace = pace;
        this.buffer = ByteBuffer.allocate(chunkBytes);
    }

    /**
     * The whole batches from {@code position} on, at least one; valid until the next call.
     *
     * @param end where the segment's batches end
     * @throws CorruptException if no whole batch begins at {@code position} or a checksum is wrong
     */
    MemoryRecords read(StoreFile file, long position, long end) {
        fill(file, position, end);
        MemoryRecords records = MemoryRecords.readableRecords(buffer.duplicate());
        if (records.validBytes() == 0) {
            grow(batchBytes(file, position, end));
            fill(file, position, end);
            records = MemoryRecords.readableRecords(buffer.duplicate());
        }
        int whole = records.validBytes();
        if (whole == 0) throw unreadable(file, position);
        MemoryRecords batches = records.slice(0, whole);
        check(batches, file, position);
        return batches;
    }

    /** Damage must neither decide what goes nor get a new checksum. */
    private static void check(MemoryRecords records, StoreFile file, long position) {
        try {
            for (RecordBatch batch : records.batches()) batch.ensureValid();
        } catch (CorruptRecordException damaged) {
            throw new CorruptException(
                    file.path() + " is damaged at or after position " + position, damaged);
        }
    }

    private void fill(StoreFile file, long position, long end) {
        buffer.clear();
        buffer.limit((int) Math.min(buffer.capacity(), end - position));
        pace.take(buffer.limit());
        file.read(buffer, position);
        buffer.flip();
    }

    private long batchBytes(StoreFile file, long position, long end) {
        if (buffer.limit() < Records.LOG_OVERHEAD) throw unreadable(file, position);
        long bytes = Records.LOG_OVERHEAD + (long) buffer.getInt(Records.SIZE_OFFSET);
        if (bytes <= buffer.capacity() || bytes > end - position) throw unreadable(file, position);
        return bytes;
    }

    private void grow(long bytes) {
        buffer = ByteBuffer.allocate(Math.toIntExact(bytes));
    }

    private static CorruptException unreadable(StoreFile file, long position) {
        return new CorruptException(
                file.path() + " holds no readable batch at position " + position);
    }
}
