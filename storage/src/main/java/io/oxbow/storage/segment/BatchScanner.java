// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.segment;

import io.oxbow.base.file.StoreFile;
import io.oxbow.storage.batch.BatchFormat;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

/**
 * Walks over the batches of a file from one batch to the next by their headers, any magic. It stops
 * at the end of the range or where no whole, plausible batch begins. Reads in chunks while batches
 * are small, and only headers when they are large. Used by one thread; blocks.
 */
public final class BatchScanner {
    /** For a look-up that ends after a few batches. */
    public static final int LOOK_UP_CHUNK = 4096;

    /** For a walk over a whole segment. */
    public static final int WALK_CHUNK = 128 * 1024;

    private final StoreFile file;
    private final long end;
    private final ByteBuffer chunk;

    /** File position of the first byte in the chunk. */
    private long chunkStart;

    private long position;
    private int sizeBytes;
    private int at;

    /** Size of the batch before, to tell whether reading whole chunks pays. */
    private int previousBytes;

    /**
     * Makes a scanner.
     *
     * @param from where a batch begins
     * @param end no byte at or after it is looked at
     */
    public BatchScanner(StoreFile file, long from, long end, int chunkBytes) {
        this.file = file;
        this.end = end;
        this.position = from;
        this.chunk = ByteBuffer.allocate(chunkBytes).limit(0);
        this.chunkStart = from;
    }

    /** Moves to the next batch; false if there is none. */
    public boolean next() {
        long start = position + sizeBytes;
        if (sizeBytes > 0) {
            position = start;
            previousBytes = sizeBytes;
            sizeBytes = 0;
        }
        int probe = (int) Math.min(BatchFormat.HEADER_BYTES, end - start);
        if (probe < BatchFormat.PROBE_BYTES || !ensure(start, probe)) return false;
        int size = BatchFormat.sizeBytes(chunk, at);
        if (!BatchFormat.plausible(BatchFormat.magic(chunk, at), size)) return false;
        if (start + size > end) return false;
        sizeBytes = size;
        return true;
    }

    /** Position of the present batch, or after {@code false} where the next one would begin. */
    public long position() {
        return position;
    }

    public int sizeBytes() {
        return sizeBytes;
    }

    /** Holds the header of the present batch at {@link #at}; valid until the next call. */
    public ByteBuffer header() {
        return chunk;
    }

    public int at() {
        return at;
    }

    public long lastOffset() {
        return BatchFormat.lastOffset(chunk, at);
    }

    public long maxTimestampMs() {
        return BatchFormat.maxTimestamp(chunk, at);
    }

    /** Reads the present batch whole and compares its CRC. The header stays available. */
    public boolean crcMatches() {
        if (sizeBytes <= chunk.capacity()) {
            return ensure(position, sizeBytes) && BatchFormat.crcMatches(chunk, at, sizeBytes);
        }
        byte magic = BatchFormat.magic(chunk, at);
        int stored = BatchFormat.storedCrc(chunk, at);
        Checksum crc = magic >= 2 ? new CRC32C() : new CRC32();
        long from = position + BatchFormat.crcStart(magic);
        long batchEnd = position + sizeBytes;
        while (from < batchEnd) {
            int length = (int) Math.min(chunk.capacity(), batchEnd - from);
            if (!ensure(from, length)) return false;
            crc.update(chunk.array(), at, length);
            from += length;
        }
        return ensure(position, BatchFormat.HEADER_BYTES) && (int) crc.getValue() == stored;
    }

    /** A copy of the present batch with its records. */
    public ByteBuffer whole() {
        ByteBuffer batch = ByteBuffer.allocate(sizeBytes);
        file.read(batch, position);
        return batch.flip();
    }

    /**
     * Brings {@code length} bytes from {@code from} on into the chunk; false if they end before.
     * What the chunk has of them already is not read again.
     */
    private boolean ensure(long from, int length) {
        if (from < chunkStart || from + length > chunkStart + chunk.limit()) {
            int kept = keep(from);
            int want = exactly(length) ? length : (int) Math.min(chunk.capacity(), end - from);
            chunk.limit(want).position(kept);
            int read = kept + file.read(chunk, from + kept);
            chunk.limit(read);
            chunkStart = from;
            if (read < length) return false;
        }
        at = (int) (from - chunkStart);
        return true;
    }

    /** Moves what the chunk has from {@code from} on to its front; how much that is. */
    private int keep(long from) {
        long skipped = from - chunkStart;
        boolean some = skipped >= 0 && skipped < chunk.limit();
        if (some) chunk.position((int) skipped).compact();
        else chunk.clear();
        return some ? chunk.position() : 0;
    }

    /** Whether reading ahead of these bytes would be in vain, as batches are large. */
    private boolean exactly(int length) {
        if (sizeBytes > chunk.capacity()) return true;
        return previousBytes > chunk.capacity() / 4 && length <= BatchFormat.HEADER_BYTES;
    }
}
