// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.lane;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Durations in buckets whose upper bounds are 1, 2, 4, ... microseconds, so a percentile is exact
 * to a factor of two. One thread records; any thread reads. {@link #decay} halves all counts, so
 * that what is read follows the recent past.
 */
final class LatencyHistogram {
    private static final int BUCKETS = 40;

    // Atomic for readers only; there is one writer, so plain adds by lazySet are enough.
    private final AtomicLongArray counts = new AtomicLongArray(BUCKETS);

    void record(long nanos) {
        int bucket = bucket(nanos);
        counts.lazySet(bucket, counts.get(bucket) + 1);
    }

    /** Writer only. */
    void decay() {
        for (int i = 0; i < BUCKETS; i++) counts.lazySet(i, counts.get(i) / 2);
    }

    /**
     * Upper bound in microseconds of the bucket that {@code fraction} (0 to 1) of the durations do
     * not exceed; 0 if there are none.
     */
    long percentileMicros(double fraction) {
        long[] seen = new long[BUCKETS];
        long total = 0;
        for (int i = 0; i < BUCKETS; i++) {
            seen[i] = counts.get(i);
            total += seen[i];
        }
        long wanted = (long) Math.ceil(total * fraction);
        long passed = 0;
        for (int i = 0; i < BUCKETS && total > 0; i++) {
            passed += seen[i];
            if (passed >= wanted) return 1L << i;
        }
        return 0;
    }

    private static int bucket(long nanos) {
        long micros = Math.max(nanos, 0) / 1000;
        return Math.min(BUCKETS - 1, 64 - Long.numberOfLeadingZeros(micros));
    }
}
