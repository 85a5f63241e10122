// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.log;

/**
 * Where a log begins and ends, how far it is replicated, and whether positions in its files still
 * mean what they did. Owned by the owner of the log.
 */
final class LogBounds {
    private final BoundaryTrail trail = new BoundaryTrail();
    private long start;
    private long end;
    private long highWatermark;
    private long generation;

    /** Where the high watermark lies in its segment, null if not known. */
    private LogState.Mark mark;

    /** The high watermark begins at the log start. */
    LogBounds(long start, long end) {
        this.start = start;
        this.end = end;
        this.highWatermark = start;
    }

    long start() {
        return start;
    }

    long end() {
        return end;
    }

    long highWatermark() {
        return highWatermark;
    }

    LogState.Mark highWatermarkMark() {
        return mark;
    }

    /** Changes when positions do not mean the same any more (truncation, compaction). */
    long generation() {
        return generation;
    }

    void positionsChanged() {
        generation++;
    }

    /** The log ends at {@code newEnd} now, at {@code position} of the segment. */
    void grew(long newEnd, long segmentBaseOffset, long position) {
        end = newEnd;
        trail.add(newEnd, segmentBaseOffset, position);
    }

    /** At most to the log end; false if it was there already. */
    boolean raiseHighWatermark(long offset) {
        long raised = Math.min(offset, end);
        if (raised <= highWatermark) return false;
        highWatermark = raised;
        mark = trail.take(raised);
        return true;
    }

    void raiseStart(long offset) {
        start = offset;
    }

    /** The log was truncated; the high watermark stays within it. */
    void cut(long newStart, long newEnd) {
        start = newStart;
        end = newEnd;
        highWatermark = Math.clamp(highWatermark, newStart, newEnd);
        mark = null;
        trail.clear();
        positionsChanged();
    }
}
