// SPDX-License-Identifier: Apache-2.0
package io.oxbow.benchmarks.client;

import java.util.Arrays;

/**
 * Every single latency of one load, kept as it is, so that the highest percentiles are exact.
 * Written by one thread, read by another after the first has been joined or has flushed.
 */
public final class Latencies {

    private long[] nanos = new long[1 << 16];
    private int count;

    /** Adds one. */
    public void add(long latencyNanos) {
        if (count == nanos.length) {
            nanos = Arrays.copyOf(nanos, 2 * count);
        }
        nanos[count++] = latencyNanos;
    }

    /** Forgets all. */
    public void clear() {
        count = 0;
    }

    /**
     * The smallest latency that this part of all do not exceed, in milliseconds.
     *
     * @param part for example 0.99
     */
    public double percentileMs(double part) {
        if (count == 0) {
            throw new IllegalStateException("no latency was measured");
        }
        long[] sorted = Arrays.copyOf(nanos, count);
        Arrays.sort(sorted);
        int rank = (int) Math.ceil(part * count);
        return sorted[Math.max(0, rank - 1)] / 1e6;
    }
}
