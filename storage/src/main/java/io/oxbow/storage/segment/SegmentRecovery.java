// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.segment;

import io.oxbow.base.file.StoreFile;
import io.oxbow.storage.batch.BatchFormat;
import java.nio.ByteBuffer;

/**
 * Brings a segment that a crash may have left torn back in order: index entries that lie below the
 * recovery point and agree with the batches are kept, everything after them is read and its CRCs
 * are checked, the first byte that is not part of a good batch ends the segment. So the work is
 * proportional to what was written since the recovery point. Owner; blocks.
 */
public final class SegmentRecovery {
    private final Segment segment;
    private final StoreFile batches;

    /** Told of each batch that was read, in order. */
    @FunctionalInterface
    public interface Visitor {
        void batch(ByteBuffer header, int at);
    }

    /**
     * What recovery found.
     *
     * @param appender ready to go on, or to be finished if the segment is not the last
     * @param tornBytes bytes at the end that are no good batches; they are there until {@link #cut}
     * @param nextOffset after the last batch; the base offset if there is none
     */
    public record Outcome(SegmentAppender appender, long tornBytes, long nextOffset) {
        /**
         * Removes the torn bytes. Later segments must be gone before: if a crash came in between,
         * nothing would show any more that something is missing in front of them.
         */
        public void cut() {
            Segment segment = appender.segment();
            segment.cutTo(segment.sizeBytes() - tornBytes);
        }
    }

    /** Where reading begins, and the index entries that hold up to there. */
    private record Start(long position, int offsets, int times) {
        static final Start SCRATCH = new Start(0, 0, 0);
    }

    private SegmentRecovery(Segment segment, StoreFile batches) {
        this.segment = segment;
        this.batches = batches;
    }

    /**
     * Recovers one segment.
     *
     * @param recoveryPoint batches below this offset are durable and so are their index entries
     */
    public static Outcome recover(
            Segment segment, long recoveryPoint, long nowMs, Visitor visitor) {
        segment.becomeWritable();
        SharedFile.Handle handle = segment.acquireLog(true);
        try {
            SegmentRecovery recovery = new SegmentRecovery(segment, handle.file());
            Start start = recovery.trusted(recoveryPoint);
            return recovery.read(start, nowMs, visitor);
        } finally {
            handle.release();
        }
    }

    private Outcome read(Start start, long nowMs, Visitor visitor) {
        Segment.Indexes indexes =
                segment.newIndexes(
                        IndexEntries.Stored.inFile(start.offsets),
                        IndexEntries.Stored.inFile(start.times));
        shorten(segment.offsetFile(), (long) start.offsets * OffsetIndexFormat.ENTRY_BYTES);
        shorten(segment.timeFile(), (long) start.times * TimeIndexFormat.ENTRY_BYTES);
        SegmentIndexer indexer =
                new SegmentIndexer(
                        indexes,
                        segment.indexIntervalBytes(),
                        start.position,
                        indexes.times().last());
        long size = segment.sizeBytes();
        BatchScanner scan = segment.scan(batches, start.position, size);
        long valid = start.position;
        long nextOffset = segment.baseOffset();
        while (scan.next() && follows(scan, nextOffset) && scan.crcMatches()) {
            visitor.batch(scan.header(), scan.at());
            nextOffset = scan.lastOffset() + 1;
            indexer.add(scan.position(), scan.lastOffset(), scan.maxTimestampMs());
            valid = scan.position() + scan.sizeBytes();
        }
        // Not even the batch below the recovery point is good: nothing is to be trusted.
        if (valid == start.position && valid > 0) return read(Start.SCRATCH, nowMs, visitor);
        segment.adopt(indexes);
        SegmentAppender appender = SegmentAppender.recovered(segment, indexer, nowMs);
        return new Outcome(appender, size - valid, nextOffset);
    }

    private boolean follows(BatchScanner scan, long nextOffset) {
        long last = scan.lastOffset();
        return last >= nextOffset && last - segment.baseOffset() <= Integer.MAX_VALUE;
    }

    /** The last index entry below the recovery point that agrees with its batch. */
    private Start trusted(long recoveryPoint) {
        if (recoveryPoint <= segment.baseOffset()) return Start.SCRATCH;
        int offsets = written(segment.offsetFile(), OffsetIndexFormat.ENTRY_BYTES);
        int times = written(segment.timeFile(), TimeIndexFormat.ENTRY_BYTES);
        if (offsets == 0) return Start.SCRATCH;
        Segment.Indexes found =
                segment.newIndexes(
                        IndexEntries.Stored.inFile(offsets), IndexEntries.Stored.inFile(times));
        found.offsets().truncateTo(recoveryPoint);
        int kept = found.offsets().entries().count();
        if (kept == 0) return Start.SCRATCH;
        long position = found.offsets().lastPosition();
        long lastOffset = found.offsets().lastOffset();
        if (position >= segment.sizeBytes()) return Start.SCRATCH;
        BatchScanner scan =
                new BatchScanner(
                        batches, position, segment.sizeBytes(), BatchScanner.LOOK_UP_CHUNK);
        if (!scan.next() || scan.lastOffset() != lastOffset) return Start.SCRATCH;
        found.times().truncateTo(lastOffset + 1);
        TimeIndex.Entry time = found.times().last();
        boolean timeless = BatchFormat.magic(scan.header(), scan.at()) == 0;
        if (time.timestampMs() < 0 && !timeless) return Start.SCRATCH;
        return new Start(position, kept, found.times().entries().count());
    }

    /** Entries before the zeros that Kafka fills an active index with. */
    private static int written(SharedFile file, int entryBytes) {
        SharedFile.Handle handle = file.acquire();
        try {
            int low = 0;
            int high = (int) Math.min(handle.file().size() / entryBytes, Integer.MAX_VALUE / 16);
            ByteBuffer entry = ByteBuffer.allocate(entryBytes);
            while (low < high) {
                int middle = (low + high) >>> 1;
                if (zero(handle.file(), entry, middle)) high = middle;
                else low = middle + 1;
            }
            return low;
        } finally {
            handle.release();
        }
    }

    private static boolean zero(StoreFile file, ByteBuffer entry, int number) {
        entry.clear();
        file.read(entry, (long) number * entry.capacity());
        for (int i = 0; i < entry.capacity(); i++) {
            if (entry.get(i) != 0) return false;
        }
        return true;
    }

    private static void shorten(SharedFile file, long size) {
        SharedFile.Handle handle = file.acquire();
        try {
            if (handle.file().size() == size) return;
            handle.file().truncate(size);
            file.written();
        } finally {
            handle.release();
        }
    }
}
