// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.segment;

import io.oxbow.base.Invariant;
import java.nio.ByteBuffer;

/**
 * The time index of one segment ({@link TimeIndexFormat}). Entries ascend in timestamp and do not
 * descend in offset. The owner changes it; any thread looks up, and look-ups block.
 */
public final class TimeIndex {
    private final long baseOffset;
    private final IndexEntries entries;

    TimeIndex(long baseOffset, SharedFile file, IndexEntries.Stored stored) {
        this.baseOffset = baseOffset;
        this.entries = new IndexEntries(file, TimeIndexFormat.ENTRY_BYTES, stored);
    }

    /**
     * An entry.
     *
     * @param timestampMs -1 if there is no entry
     * @param offset the base offset if there is no entry
     */
    public record Entry(long timestampMs, long offset) {}

    IndexEntries entries() {
        return entries;
    }

    boolean isFull(int maxBytes) {
        // As Kafka: room is kept for the entry that closing the segment adds.
        return entries.count() >= maxBytes / TimeIndexFormat.ENTRY_BYTES - 1;
    }

    /** Adds an entry if its timestamp is later than the last one's. */
    void append(long timestampMs, long offset) {
        Entry last = last();
        if (timestampMs <= last.timestampMs) return;
        Invariant.check(offset >= last.offset, "time index offsets ascend", last.offset, offset);
        ByteBuffer entry = entries.next();
        entry.putLong(TimeIndexFormat.TIMESTAMP, timestampMs);
        entry.putInt(TimeIndexFormat.RELATIVE_OFFSET, (int) (offset - baseOffset));
        entries.added();
    }

    Entry last() {
        try (IndexEntries.Cursor cursor = entries.cursor(true)) {
            return entry(cursor, cursor.count() - 1);
        }
    }

    /** The last entry whose timestamp is at most {@code timestampMs}. */
    Entry floor(long timestampMs) {
        try (IndexEntries.Cursor cursor = entries.cursor(true)) {
            int low = 0;
            int high = cursor.count() - 1;
            while (low <= high) {
                int middle = (low + high) >>> 1;
                long found = cursor.longAt(middle, TimeIndexFormat.TIMESTAMP);
                if (found <= timestampMs) low = middle + 1;
                else high = middle - 1;
            }
            return entry(cursor, high);
        }
    }

    private Entry entry(IndexEntries.Cursor cursor, int number) {
        if (number < 0) return new Entry(-1, baseOffset);
        return new Entry(
                cursor.longAt(number, TimeIndexFormat.TIMESTAMP),
                baseOffset + cursor.intAt(number, TimeIndexFormat.RELATIVE_OFFSET));
    }

    /** Removes entries of {@code offset} and later ones. */
    void truncateTo(long offset) {
        int keep;
        try (IndexEntries.Cursor cursor = entries.cursor(true)) {
            keep = cursor.count();
            while (keep > 0 && entry(cursor, keep - 1).offset() >= offset) keep--;
        }
        entries.truncate(keep);
    }
}
