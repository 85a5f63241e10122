// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.log;

/**
 * The latest batch boundaries above the high watermark with their positions, so that the position
 * of a high watermark that moves is known without a look-up. Bounded: a follower far behind just
 * costs look-ups. Owned by the owner of the log.
 */
final class BoundaryTrail {
    private static final int MOST = 1024;
    private static final int FIRST = 4;

    private LogState.Mark[] marks = new LogState.Mark[FIRST];
    private int first;
    private int count;

    void add(long offset, long segmentBaseOffset, long position) {
        if (count == marks.length) {
            if (count < MOST) grow();
            else forgetFirst();
        }
        marks[(first + count) % marks.length] =
                new LogState.Mark(offset, segmentBaseOffset, position);
        count++;
    }

    private void grow() {
        LogState.Mark[] larger = new LogState.Mark[marks.length * 4];
        for (int i = 0; i < count; i++) larger[i] = marks[(first + i) % marks.length];
        marks = larger;
        first = 0;
    }

    private void forgetFirst() {
        marks[first] = null;
        first = (first + 1) % marks.length;
        count--;
    }

    /** The boundary at exactly {@code offset}, or null; it and what is below are forgotten. */
    LogState.Mark take(long offset) {
        while (count > 0) {
            LogState.Mark mark = marks[first];
            if (mark.offset() > offset) return null;
            forgetFirst();
            if (mark.offset() == offset) return mark;
        }
        return null;
    }

    void clear() {
        while (count > 0) forgetFirst();
    }
}
