// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.log;

/**
 * The latest batch boundaries above the high watermark with their positions, so that the position
 * of a high watermark that moves is known without a look-up. Bounded: a follower far behind just
 * costs look-ups. Owned by the owner of the log.
 */
final class BoundaryTrail {
    private static final int CAPACITY = 1024;

    private final LogState.Mark[] marks = new LogState.Mark[CAPACITY];
    private int first;
    private int count;

    void add(long offset, long segmentBaseOffset, long position) {
        if (count == CAPACITY) {
            first = (first + 1) % CAPACITY;
            count--;
        }
        marks[(first + count) % CAPACITY] = new LogState.Mark(offset, segmentBaseOffset, position);
        count++;
    }

    /** The boundary at exactly {@code offset}, or null; it and what is below are forgotten. */
    LogState.Mark take(long offset) {
        while (count > 0) {
            LogState.Mark mark = marks[first];
            if (mark.offset() > offset) return null;
            marks[first] = null;
            first = (first + 1) % CAPACITY;
            count--;
            if (mark.offset() == offset) return mark;
        }
        return null;
    }

    void clear() {
        while (count > 0) {
            marks[first] = null;
            first = (first + 1) % CAPACITY;
            count--;
        }
    }
}
