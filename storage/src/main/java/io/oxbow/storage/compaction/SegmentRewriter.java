// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.compaction;

import io.oxbow.storage.batch.BatchFormat;
import io.oxbow.storage.segment.AbortedTransaction;
import io.oxbow.storage.segment.Segment;
import io.oxbow.storage.segment.SegmentAppender;
import java.nio.ByteBuffer;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.utils.internals.BufferSupplier;

/**
 * The second pass: copies what stays of one group of segments into a new one. Batches of which all
 * records stay are copied as they are, others are made anew with their own compression. Used by one
 * thread.
 */
final class SegmentRewriter {
    private final Segment target;
    private final SegmentAppender appender;
    private final ChunkReader chunks;
    private final CompactionPace pace;
    private final BufferSupplier buffers;
    private ByteBuffer output;

    /**
     * @param target new and empty
     * @param appender of {@code target}
     */
    SegmentRewriter(
            Segment target,
            SegmentAppender appender,
            ChunkReader chunks,
            CompactionPace pace,
            BufferSupplier buffers) {
        this.target = target;
        this.appender = appender;
        this.chunks = chunks;
        this.pace = pace;
        this.buffers = buffers;
        this.output = ByteBuffer.allocate(64 * 1024);
    }

    /** Appends what {@code filter} keeps of {@code source}. */
    void copy(Segment source, CompactionFilter filter, TransactionFates transactions) {
        try (OpenSegment open = new OpenSegment(source)) {
            long end = source.sizeBytes();
            long position = 0;
            while (position < end) {
                MemoryRecords records = chunks.read(open.file(), position, end);
                append(records, filter);
                position += records.sizeInBytes();
                for (AbortedTransaction needed : transactions.takeStillNeeded()) {
                    appender.aborted(needed);
                }
            }
        }
    }

    private void append(MemoryRecords records, CompactionFilter filter) {
        output.clear();
        // The topic's max.decompressed.message.bytes guards appends; what is stored is taken.
        MemoryRecords.FilterResult kept =
                records.filterTo(filter, output, buffers, Integer.MAX_VALUE);
        // It may have been replaced by a larger one.
        output = kept.outputBuffer();
        if (output.position() == 0) return;
        output.flip();
        pace.take(output.limit());
        long position = target.sizeBytes();
        int bytes = output.limit();
        appender.write(new ByteBuffer[] {output.duplicate()}, 1, bytes);
        for (int at = 0; at < bytes; at += BatchFormat.sizeBytes(output, at)) {
            appender.index(output, at, position + at);
        }
    }
}
