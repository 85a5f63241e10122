// SPDX-License-Identifier: Apache-2.0
package io.oxbow.testkit.load;

import java.util.Arrays;
import java.util.Locale;

/**
 * When operations began and ended, to ask about any stretch of time afterwards. Added to by the
 * threads of clients, asked by a test; its own lock guards it, held for a few instructions by
 * adders.
 */
public final class Latencies {

    private long[] begun = new long[1024];
    private long[] ended = new long[1024];
    private int count;

    /**
     * What happened in one stretch of time, in milliseconds.
     *
     * @param pauseMs the longest time in which nothing ended
     */
    public record Summary(
            int count, double p50, double p99, double p999, double max, double pauseMs) {
        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "%d in all, p50 %.2f, p99 %.2f, p99.9 %.2f, max %.2f, longest pause %.2f ms",
                    count,
                    p50,
                    p99,
                    p999,
                    max,
                    pauseMs);
        }
    }

    /** Notes an operation by its two {@link System#nanoTime} values. */
    public synchronized void add(long beginNanos, long endNanos) {
        if (count == begun.length) {
            begun = Arrays.copyOf(begun, count * 2);
            ended = Arrays.copyOf(ended, count * 2);
        }
        begun[count] = beginNanos;
        ended[count] = endNanos;
        count++;
    }

    /** How many operations have ended. */
    public synchronized int count() {
        return count;
    }

    /** Operations that ended within {@code [from, to)}. */
    public synchronized Summary between(long fromNanos, long toNanos) {
        long[] took = new long[count];
        long[] ends = new long[count];
        int used = 0;
        for (int i = 0; i < count; i++) {
            if (ended[i] - fromNanos >= 0 && ended[i] - toNanos < 0) {
                took[used] = ended[i] - begun[i];
                ends[used++] = ended[i];
            }
        }
        took = Arrays.copyOf(took, used);
        ends = Arrays.copyOf(ends, used);
        Arrays.sort(took);
        Arrays.sort(ends);
        return new Summary(
                used,
                at(took, 0.5),
                at(took, 0.99),
                at(took, 0.999),
                at(took, 1),
                ms(longestPause(ends, fromNanos, toNanos)));
    }

    private static long longestPause(long[] ends, long from, long to) {
        long longest = 0;
        long last = from;
        for (long end : ends) {
            longest = Math.max(longest, end - last);
            last = end;
        }
        return Math.max(longest, to - last);
    }

    private static double at(long[] sorted, double quantile) {
        if (sorted.length == 0) {
            return Double.NaN;
        }
        int index = (int) Math.ceil(quantile * sorted.length) - 1;
        return ms(sorted[Math.clamp(index, 0, sorted.length - 1)]);
    }

    private static double ms(long nanos) {
        return nanos / 1e6;
    }
}
