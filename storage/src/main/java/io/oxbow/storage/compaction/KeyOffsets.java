// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.compaction;

import io.oxbow.base.Invariant;
import java.nio.ByteBuffer;
import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The latest offset of each key, within a bound of memory: keys are known by 16 bytes of hash (MD5,
 * so that no two keys meet by chance), an entry takes 24 bytes whatever the key's size.
 *
 * <p>Open addressing with linear probing in one array that doubles up to the bound: a small log
 * costs a small map. Owned by one compactor thread.
 *
 * <pre>
 * slot: | hash, first 8 bytes | hash, last 8 bytes | offset + 1, 0: slot is free |
 * </pre>
 */
final class KeyOffsets {
    static final int ENTRY_BYTES = 24;

    private static final int LONGS = 3;
    private static final int FIRST_SLOTS = 1024;
    private static final double GROW_AT = 0.7;

    private final MessageDigest digest = md5();
    private final byte[] hash = new byte[16];
    private final ByteBuffer hashView = ByteBuffer.wrap(hash);
    private final int maxSlots;
    private final int maxKeys;

    private long[] slots;
    private int size;
    private long latestOffset = -1;

    /**
     * @param maxBytes most memory that the entries take
     * @param loadFactor how full the largest map may become
     */
    KeyOffsets(long maxBytes, double loadFactor) {
        maxSlots = (int) Math.min(maxBytes / ENTRY_BYTES, (Integer.MAX_VALUE - 8) / LONGS);
        maxKeys = (int) (maxSlots * Math.min(loadFactor, 0.95));
        Invariant.check(maxKeys > 0, "a map has room for a key", maxBytes, maxSlots);
        slots = new long[Math.min(FIRST_SLOTS, maxSlots) * LONGS];
    }

    /** Notes an offset for a key, which must not be below an earlier one; false if it is full. */
    boolean put(ByteBuffer key, long offset) {
        hash(key);
        int slot = find();
        if (slots[slot + 2] == 0) {
            if (size == maxKeys) return false;
            slots[slot] = hashView.getLong(0);
            slots[slot + 1] = hashView.getLong(8);
            size++;
        }
        slots[slot + 2] = offset + 1;
        if (size > GROW_AT * slots.length / LONGS) grow();
        return true;
    }

    /** The latest offset of a key, -1 if it was not seen. */
    long latest(ByteBuffer key) {
        hash(key);
        return slots[find() + 2] - 1;
    }

    int size() {
        return size;
    }

    /** Keys that fit at most. */
    int maxKeys() {
        return maxKeys;
    }

    /** Last offset up to which everything has been noted, -1 if nothing. */
    long latestOffset() {
        return latestOffset;
    }

    void reached(long offset) {
        latestOffset = Math.max(latestOffset, offset);
    }

    private void hash(ByteBuffer key) {
        digest.update(key.duplicate());
        try {
            digest.digest(hash, 0, hash.length);
        } catch (DigestException impossible) {
            throw new IllegalStateException("MD5 has 16 bytes", impossible);
        }
    }

    /** Index of the slot that holds the hash, or of the free one where it belongs. */
    private int find() {
        long high = hashView.getLong(0);
        long low = hashView.getLong(8);
        int count = slots.length / LONGS;
        int slot = home(high, count);
        while (true) {
            int at = slot * LONGS;
            if (slots[at + 2] == 0 || (slots[at] == high && slots[at + 1] == low)) return at;
            slot = slot + 1 == count ? 0 : slot + 1;
        }
    }

    /** Spreads the hash over {@code count} slots without a division. */
    private static int home(long high, int count) {
        return (int) (((high >>> 32) * count) >>> 32);
    }

    private void grow() {
        int count = (int) Math.min(2L * (slots.length / LONGS), maxSlots);
        if (count == slots.length / LONGS) return;
        long[] old = slots;
        slots = new long[count * LONGS];
        for (int from = 0; from < old.length; from += LONGS) {
            if (old[from + 2] == 0) continue;
            hashView.putLong(0, old[from]).putLong(8, old[from + 1]);
            int to = find();
            System.arraycopy(old, from, slots, to, LONGS);
        }
    }

    private static MessageDigest md5() {
        try {
            return MessageDigest.getInstance("MD5");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JDK has MD5", impossible);
        }
    }
}
