// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.compaction;

import io.oxbow.storage.segment.Segment;
import java.util.List;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.utils.internals.BufferSupplier;
import org.apache.kafka.common.utils.internals.CloseableIterator;

/**
 * The first pass: notes the latest offset of each key in the dirty part of a log, as far as the map
 * has room. Aborted records do not count: they must not push out committed ones. Used by one
 * thread.
 */
final class DirtyScan {
    private final KeyOffsets latest;
    private final ChunkReader chunks;
    private final BufferSupplier buffers;
    private final TransactionFates transactions;

    /**
     * @param transactions knows the log's aborted ones
     */
    DirtyScan(
            KeyOffsets latest,
            TransactionFates transactions,
            ChunkReader chunks,
            BufferSupplier buffers) {
        this.latest = latest;
        this.transactions = transactions;
        this.chunks = chunks;
        this.buffers = buffers;
    }

    /**
     * Scans from {@code firstDirtyOffset} to {@code endOffset}, which is the end of the last
     * segment. How far it came is {@link KeyOffsets#latestOffset}.
     */
    void scan(List<Segment> segments, long firstDirtyOffset, long endOffset) {
        for (int i = 0; i < segments.size(); i++) {
            long next = i + 1 < segments.size() ? segments.get(i + 1).baseOffset() : endOffset;
            if (!scan(segments.get(i), firstDirtyOffset)) return;
            // A gap at the end of a segment is clean, too.
            latest.reached(next - 1);
        }
    }

    /** False if the map is full. */
    private boolean scan(Segment segment, long firstDirtyOffset) {
        long end = segment.sizeBytes();
        try (OpenSegment open = new OpenSegment(segment)) {
            long position = segment.find(firstDirtyOffset, end, true);
            if (position == Segment.NOT_FOUND) return true;
            while (position < end) {
                MemoryRecords records = chunks.read(open.file(), position, end);
                for (RecordBatch batch : records.batches()) {
                    if (!note(batch, firstDirtyOffset)) return false;
                    latest.reached(batch.lastOffset());
                }
                position += records.sizeInBytes();
            }
            return true;
        }
    }

    private boolean note(RecordBatch batch, long firstDirtyOffset) {
        boolean aborted = transactions.discards(batch);
        if (batch.isControlBatch() || aborted) return true;
        try (CloseableIterator<Record> records = batch.streamingIterator(buffers)) {
            while (records.hasNext()) {
                Record record = records.next();
                if (!record.hasKey() || record.offset() < firstDirtyOffset) continue;
                if (!latest.put(record.key(), record.offset())) return false;
            }
        }
        return true;
    }
}
