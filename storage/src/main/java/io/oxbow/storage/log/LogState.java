// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.log;

import io.oxbow.storage.segment.Segment;

/**
 * Everything that readers need of a log at one moment; immutable, published by the owner as a
 * whole.
 */
final class LogState {
    private final Segment[] segments;
    private final LogView view;
    private final long endPosition;
    private final long sizeBytes;
    private final long generation;
    private final Mark highWatermark;

    /**
     * @param segments ascending by base offset, at least one; the last is active. Never changed
     * @param endPosition size of the active segment at {@code view.endOffset}
     * @param sizeBytes of all segments
     * @param generation changes when positions do not mean the same any more
     * @param highWatermark where the high watermark lies in its segment, null if not known
     */
    LogState(
            Segment[] segments,
            LogView view,
            long endPosition,
            long sizeBytes,
            long generation,
            Mark highWatermark) {
        this.segments = segments;
        this.view = view;
        this.endPosition = endPosition;
        this.sizeBytes = sizeBytes;
        this.generation = generation;
        this.highWatermark = highWatermark;
    }

    /** Not to be changed. */
    Segment[] segments() {
        return segments;
    }

    LogView view() {
        return view;
    }

    long sizeBytes() {
        return sizeBytes;
    }

    /** Changes when positions do not mean the same any more (truncation, compaction). */
    long generation() {
        return generation;
    }

    /** Where the high watermark lies in its segment, null if not known. */
    Mark highWatermark() {
        return highWatermark;
    }

    /** A batch boundary: a batch that begins at {@code offset} begins at {@code position}. */
    record Mark(long offset, long segmentBaseOffset, long position) {}

    /** Number of the segment that holds {@code offset} if any does. */
    int floor(long offset) {
        int low = 0;
        int high = segments.length - 1;
        // Most reads are near the end.
        if (segments[high].baseOffset() <= offset) return high;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (segments[middle].baseOffset() <= offset) low = middle + 1;
            else high = middle - 1;
        }
        return Math.max(high, 0);
    }

    /** Bytes of a segment that belong to the log at this moment. */
    long end(int segment) {
        return segment == segments.length - 1 ? endPosition : segments[segment].sizeBytes();
    }
}
