// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.segment;

import io.oxbow.base.Invariant;
import java.nio.ByteBuffer;

/**
 * The offset index of one segment ({@link OffsetIndexFormat}). Entries ascend in offset and in
 * position. The owner changes it; any thread looks up.
 */
final class OffsetIndex {
    /** Answer of a look-up that would have to wait for the disk. */
    static final long WOULD_BLOCK = -2;

    private final long baseOffset;
    private final IndexEntries entries;

    OffsetIndex(long baseOffset, SharedFile file, IndexEntries.Stored stored) {
        this.baseOffset = baseOffset;
        this.entries = new IndexEntries(file, OffsetIndexFormat.ENTRY_BYTES, stored);
    }

    IndexEntries entries() {
        return entries;
    }

    boolean isFull(int maxBytes) {
        return entries.count() >= maxBytes / OffsetIndexFormat.ENTRY_BYTES;
    }

    void append(long lastOffset, long position) {
        long relative = lastOffset - baseOffset;
        Invariant.check(
                relative >= 0 && relative <= Integer.MAX_VALUE && position <= Integer.MAX_VALUE,
                "an offset index holds 31 bit offsets and positions",
                relative,
                position);
        ByteBuffer entry = entries.next();
        entry.putInt(OffsetIndexFormat.RELATIVE_OFFSET, (int) relative);
        entry.putInt(OffsetIndexFormat.POSITION, (int) position);
        entries.added();
    }

    /**
     * Position of the batch of the last entry whose offset is at most {@code offset}: 0 if there is
     * none, or {@link #WOULD_BLOCK}.
     */
    long floorPosition(long offset, boolean mayBlock) {
        long relative = offset - baseOffset;
        if (relative <= 0 || entries.count() == 0) return 0;
        return floor(OffsetIndexFormat.RELATIVE_OFFSET, relative, mayBlock);
    }

    /** Position of the last entry's batch that starts at or before {@code position}. */
    long floorByPosition(long position, boolean mayBlock) {
        if (entries.count() == 0) return 0;
        return floor(OffsetIndexFormat.POSITION, position, mayBlock);
    }

    private long floor(int field, long value, boolean mayBlock) {
        try (IndexEntries.Cursor cursor = entries.cursor(mayBlock)) {
            if (cursor == null) return WOULD_BLOCK;
            int found = floorEntry(cursor, field, value);
            return found < 0 ? 0 : cursor.intAt(found, OffsetIndexFormat.POSITION);
        }
    }

    /**
     * The last entry whose field is at most {@code value}; -1 if there is none. Batches are mostly
     * of one size, so it looks at where the entry lies if those between the bounds are, twice, and
     * halves what is left every third time: one or two reads of the file, not one for each halving.
     */
    private static int floorEntry(IndexEntries.Cursor cursor, int field, long value) {
        int low = 0;
        int high = cursor.count() - 1;
        if (high < 0 || value < 0) return -1;
        long lowValue = 0;
        long highValue = cursor.intAt(high, field);
        if (highValue <= value) return high;
        for (int look = 0; low <= high; look++) {
            int middle = (low + high) >>> 1;
            if (look % 3 < 2 && lowValue < highValue) {
                long guess = low + (value - lowValue) * (high - low) / (highValue - lowValue);
                middle = Math.clamp(guess, low, high);
            }
            long found = cursor.intAt(middle, field);
            if (found <= value) {
                low = middle + 1;
                lowValue = found;
            } else {
                high = middle - 1;
                highValue = found;
            }
        }
        return high;
    }

    /** Position of the last entry's batch, 0 if there is none. Blocks. */
    long lastPosition() {
        return last(OffsetIndexFormat.POSITION);
    }

    /** Offset of the last entry, the base offset if there is none. Blocks. */
    long lastOffset() {
        return baseOffset + last(OffsetIndexFormat.RELATIVE_OFFSET);
    }

    private long last(int field) {
        try (IndexEntries.Cursor cursor = entries.cursor(true)) {
            return cursor.count() == 0 ? 0 : cursor.intAt(cursor.count() - 1, field);
        }
    }

    /** Removes entries of {@code offset} and later ones. */
    void truncateTo(long offset) {
        int keep;
        try (IndexEntries.Cursor cursor = entries.cursor(true)) {
            keep =
                    1
                            + floorEntry(
                                    cursor,
                                    OffsetIndexFormat.RELATIVE_OFFSET,
                                    offset - baseOffset - 1);
        }
        entries.truncate(keep);
    }
}
