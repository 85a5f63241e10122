// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.segment;

/**
 * Decides which batches of a segment get index entries, and adds them: used alike for batches that
 * are appended, recovered or indexed anew, so that the entries are the same. Owned by whoever
 * writes the segment.
 */
final class SegmentIndexer {
    private final OffsetIndex offsets;
    private final TimeIndex times;
    private int intervalBytes;

    /** Where the interval to the next entry is counted from. */
    private long countedFrom;

    private long maxTimestampMs;
    private long maxTimestampOffset;

    /**
     * @param countedFrom position of the last indexed batch, or where indexing begins
     * @param soFar largest timestamp before that, and its offset
     */
    SegmentIndexer(
            Segment.Indexes indexes, int intervalBytes, long countedFrom, TimeIndex.Entry soFar) {
        this.offsets = indexes.offsets();
        this.times = indexes.times();
        this.intervalBytes = intervalBytes;
        this.countedFrom = countedFrom;
        this.maxTimestampMs = soFar.timestampMs();
        this.maxTimestampOffset = soFar.offset();
    }

    void add(long position, long lastOffset, long batchMaxTimestampMs) {
        seen(lastOffset, batchMaxTimestampMs);
        if (position - countedFrom <= intervalBytes) return;
        offsets.append(lastOffset, position);
        times.append(maxTimestampMs, maxTimestampOffset);
        countedFrom = position;
    }

    /** Notes the timestamp of a batch that is indexed already or needs no entry. */
    void seen(long lastOffset, long batchMaxTimestampMs) {
        if (batchMaxTimestampMs > maxTimestampMs) {
            maxTimestampMs = batchMaxTimestampMs;
            maxTimestampOffset = lastOffset;
        }
    }

    /** The segment ends here: its largest timestamp gets an entry if it has none yet. */
    void finish() {
        times.append(maxTimestampMs, maxTimestampOffset);
    }

    TimeIndex.Entry largest() {
        return new TimeIndex.Entry(maxTimestampMs, maxTimestampOffset);
    }

    long maxTimestampMs() {
        return maxTimestampMs;
    }

    void intervalBytes(int bytes) {
        intervalBytes = bytes;
    }
}
