// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.segment;

import io.oxbow.base.Invariant;
import io.oxbow.base.error.CorruptException;
import io.oxbow.base.error.DiskException;
import io.oxbow.base.error.OxbowException;
import io.oxbow.storage.batch.BatchFormat;
import java.nio.ByteBuffer;

/**
 * The writing end of the active segment: writes batches, adds index entries, knows what rolling
 * depends on. Owned by the owner of the log; one for each segment that becomes active.
 */
public final class SegmentAppender {
    private static final long UNKNOWN = -2;

    private final Segment segment;
    private final SegmentIndexer indexer;

    /** When this process made or opened it; what age counts from if records have no timestamps. */
    private final long openedMs;

    /**
     * Largest timestamp of the first batch, -1 if it has none or is not there, -2: not read yet.
     */
    private long firstTimestampMs;

    private SegmentAppender(
            Segment segment, SegmentIndexer indexer, long openedMs, long firstTimestampMs) {
        this.segment = segment;
        this.indexer = indexer;
        this.openedMs = openedMs;
        this.firstTimestampMs = firstTimestampMs;
    }

    /** For a segment that was made just now. */
    public static SegmentAppender fresh(Segment segment, long nowMs) {
        Segment.Indexes indexes = segment.indexes(true);
        SegmentIndexer indexer =
                new SegmentIndexer(
                        indexes,
                        segment.indexIntervalBytes(),
                        0,
                        new TimeIndex.Entry(-1, segment.baseOffset()));
        return new SegmentAppender(segment, indexer, nowMs, -1);
    }

    /** After recovery. */
    static SegmentAppender recovered(Segment segment, SegmentIndexer indexer, long nowMs) {
        return new SegmentAppender(segment, indexer, nowMs, UNKNOWN);
    }

    /**
     * For a segment that was closed in order. Blocks.
     *
     * @param nextOffset where the log ends, as its checkpoint says
     * @throws CorruptException if the batches say otherwise
     */
    public static SegmentAppender resume(Segment segment, long nextOffset, long nowMs) {
        segment.becomeWritable();
        Segment.Indexes indexes = segment.indexes(true);
        SegmentIndexer indexer =
                new SegmentIndexer(
                        indexes,
                        segment.indexIntervalBytes(),
                        segment.sizeBytes(),
                        indexes.times().last());
        SharedFile.Handle handle = segment.acquireLog(true);
        try {
            long size = segment.sizeBytes();
            BatchScanner scan = segment.scan(handle.file(), indexes.offsets().lastPosition(), size);
            long end = segment.baseOffset();
            while (scan.next()) {
                indexer.seen(scan.lastOffset(), scan.maxTimestampMs());
                end = scan.lastOffset() + 1;
            }
            if (scan.position() != size || end > nextOffset) {
                throw new CorruptException(
                        segment.logPath()
                                + " ends at offset "
                                + end
                                + ", position "
                                + scan.position()
                                + "; expected at most offset "
                                + nextOffset
                                + ", position "
                                + size);
            }
        } finally {
            handle.release();
        }
        return new SegmentAppender(segment, indexer, nowMs, UNKNOWN);
    }

    /**
     * Cuts a segment at the batch that holds {@code offset} and goes on from there. Indexes are cut
     * first: an entry must never point beyond the end. Blocks.
     */
    public static SegmentAppender cut(Segment segment, long offset, long nowMs) {
        long size = segment.sizeBytes();
        long position = segment.find(offset, size, true);
        Segment.Indexes indexes = segment.indexes(true);
        segment.becomeWritable();
        indexes.offsets().truncateTo(offset);
        indexes.times().truncateTo(offset);
        segment.transactions().truncateTo(offset);
        if (position != Segment.NOT_FOUND) segment.cutTo(position);
        return resume(segment, offset, nowMs);
    }

    /** Notes an aborted transaction whose marker was written. */
    public void aborted(AbortedTransaction transaction) {
        segment.transactions().append(transaction);
    }

    public Segment segment() {
        return segment;
    }

    /**
     * Writes {@code sources[0..count)} at the end by one gathering write; index entries are added
     * by {@link #index}. If it throws the file is as before.
     *
     * @param bytes what all sources hold
     */
    public void write(ByteBuffer[] sources, int count, long bytes) {
        long position = segment.sizeBytes();
        Invariant.check(
                position + bytes <= Integer.MAX_VALUE, "a segment is below 2 GiB", position, bytes);
        SharedFile.Handle handle = segment.acquireLog(true);
        try {
            handle.file().write(sources, count, position);
        } catch (DiskException failure) {
            cutTorn(position, failure);
            throw failure;
        } finally {
            handle.release();
        }
        segment.grew(position + bytes);
    }

    private void cutTorn(long position, DiskException failure) {
        try {
            segment.cutTo(position);
        } catch (OxbowException second) {
            second.addSuppressed(failure);
            throw HalfDone.because(
                    "What was written of a failed append could not be cut off " + segment.logPath(),
                    second);
        }
    }

    /** Notes a batch that was written at {@code position}. */
    public void index(ByteBuffer batch, int at, long position) {
        long maxTimestampMs = BatchFormat.maxTimestamp(batch, at);
        if (position == 0) firstTimestampMs = maxTimestampMs;
        indexer.add(position, BatchFormat.lastOffset(batch, at), maxTimestampMs);
    }

    /**
     * Age in ms for a batch of {@code maxTimestampMs} (-1: none), in Kafka's sense of it.
     *
     * @param firstMs timestamp of the first batch if the segment is still empty
     */
    public long ageMs(long nowMs, long maxTimestampMs, long firstMs) {
        if (maxTimestampMs < 0) return nowMs - openedMs;
        long first = segment.sizeBytes() == 0 ? firstMs : firstTimestampMs();
        return first >= 0 ? maxTimestampMs - first : nowMs - openedMs;
    }

    private long firstTimestampMs() {
        if (firstTimestampMs != UNKNOWN) return firstTimestampMs;
        SharedFile.Handle handle = segment.acquireLog(true);
        try {
            BatchScanner scan =
                    new BatchScanner(
                            handle.file(), 0, segment.sizeBytes(), BatchFormat.HEADER_BYTES);
            firstTimestampMs = scan.next() ? scan.maxTimestampMs() : -1;
            return firstTimestampMs;
        } finally {
            handle.release();
        }
    }

    /** Whether one of the indexes has reached {@code segmentIndexBytes}. */
    public boolean indexFull(int segmentIndexBytes) {
        Segment.Indexes indexes = segment.indexes(true);
        return indexes.offsets().isFull(segmentIndexBytes)
                || indexes.times().isFull(segmentIndexBytes);
    }

    /** Whether {@code lastOffset} can be told relative to the base offset. */
    public boolean reaches(long lastOffset) {
        long relative = lastOffset - segment.baseOffset();
        return relative >= 0 && relative <= Integer.MAX_VALUE;
    }

    /** Largest timestamp so far and the last offset of its batch. */
    public TimeIndex.Entry largest() {
        return indexer.largest();
    }

    /** Takes a changed {@code index.interval.bytes} over. */
    public void indexIntervalBytes(int bytes) {
        indexer.intervalBytes(bytes);
    }

    /** The segment is complete or the log closes: the last time entry is added, entries saved. */
    public void finish() {
        indexer.finish();
        segment.saveIndexes();
    }
}
