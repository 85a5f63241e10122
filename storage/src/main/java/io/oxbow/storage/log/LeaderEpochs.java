// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.log;

import java.util.Arrays;

/**
 * Where each leader epoch of a log began (KIP-101); ascending in epoch and in start offset.
 * Immutable; any thread.
 */
final class LeaderEpochs {
    static final LeaderEpochs NONE = new LeaderEpochs(new int[0], new long[0]);

    private final int[] epochs;
    private final long[] starts;

    private LeaderEpochs(int[] epochs, long[] starts) {
        this.epochs = epochs;
        this.starts = starts;
    }

    int size() {
        return epochs.length;
    }

    int epoch(int i) {
        return epochs[i];
    }

    long start(int i) {
        return starts[i];
    }

    /** Whether {@code other}, which may be null, has the same entries. */
    boolean sameAs(LeaderEpochs other) {
        if (this == other) return true;
        return other != null
                && Arrays.equals(epochs, other.epochs)
                && Arrays.equals(starts, other.starts);
    }

    /** The latest epoch, -1 if there is none. */
    int latest() {
        return epochs.length == 0 ? -1 : epochs[epochs.length - 1];
    }

    /**
     * With {@code epoch} beginning at {@code start}. Entries that contradict it are removed: those
     * of the same or a later epoch, and those that begin at or after {@code start}. The same if the
     * latest epoch is this one and began no later.
     */
    LeaderEpochs assign(int epoch, long start) {
        int last = epochs.length - 1;
        if (last >= 0 && epochs[last] == epoch && starts[last] <= start) return this;
        int keep = epochs.length;
        while (keep > 0 && (epochs[keep - 1] >= epoch || starts[keep - 1] >= start)) keep--;
        int[] nextEpochs = Arrays.copyOf(epochs, keep + 1);
        long[] nextStarts = Arrays.copyOf(starts, keep + 1);
        nextEpochs[keep] = epoch;
        nextStarts[keep] = start;
        return new LeaderEpochs(nextEpochs, nextStarts);
    }

    /** Without epochs that begin at {@code endOffset} or later. */
    LeaderEpochs truncateFromEnd(long endOffset) {
        int keep = epochs.length;
        while (keep > 0 && starts[keep - 1] >= endOffset) keep--;
        if (keep == epochs.length) return this;
        return new LeaderEpochs(Arrays.copyOf(epochs, keep), Arrays.copyOf(starts, keep));
    }

    /** Without epochs that ended before {@code startOffset}; the first left begins there. */
    LeaderEpochs truncateFromStart(long startOffset) {
        int drop = 0;
        while (drop < epochs.length && starts[drop] <= startOffset) drop++;
        // The last of those is still in force at the start offset.
        drop = Math.max(0, drop - 1);
        if (epochs.length == 0 || (drop == 0 && starts[0] >= startOffset)) return this;
        int[] nextEpochs = Arrays.copyOfRange(epochs, drop, epochs.length);
        long[] nextStarts = Arrays.copyOfRange(starts, drop, epochs.length);
        nextStarts[0] = Math.max(nextStarts[0], startOffset);
        return new LeaderEpochs(nextEpochs, nextStarts);
    }

    /** Where {@code epoch} ended in a log that ends at {@code logEndOffset} (KIP-279). */
    EpochEnd end(int epoch, long logEndOffset) {
        if (epoch < 0) return EpochEnd.NONE;
        if (epoch == latest()) return new EpochEnd(epoch, logEndOffset);
        int higher = floor(epoch) + 1;
        if (higher == epochs.length) return EpochEnd.NONE;
        if (higher == 0) return new EpochEnd(epoch, starts[0]);
        return new EpochEnd(epochs[higher - 1], starts[higher]);
    }

    /** Epoch of the record at {@code offset}, -1 if not known. */
    int at(long offset) {
        int i = epochs.length - 1;
        while (i >= 0 && starts[i] > offset) i--;
        return i < 0 ? -1 : epochs[i];
    }

    /** Number of the last entry whose epoch is at most {@code epoch}, -1 if none. */
    private int floor(int epoch) {
        int i = Arrays.binarySearch(epochs, epoch);
        return i >= 0 ? i : -i - 2;
    }
}
