// SPDX-License-Identifier: Apache-2.0
package io.oxbow.base.error;

import io.oxbow.base.time.Clock;
import java.util.concurrent.TimeUnit;

/**
 * How many lines of log those may cause who are not to be trusted: {@value #BURST} at once, then
 * one every {@value #SECONDS} seconds. What is left out is counted, and the next line says it. Any
 * thread.
 */
public final class LogAllowance {
    private static final int BURST = 50;
    private static final int SECONDS = 5;
    private static final long NANOS = TimeUnit.SECONDS.toNanos(SECONDS);

    private final Clock clock;

    private int left = BURST;
    private long sinceNanos;
    private long leftOut;

    public LogAllowance(Clock clock) {
        this.clock = clock;
        this.sinceNanos = clock.nanos();
    }

    /** The end of a line that may be written now (mostly empty); null if it must not. */
    public synchronized String take() {
        refill();
        if (left == 0) {
            leftOut++;
            return null;
        }
        left--;
        String end = leftOut == 0 ? "" : " (and " + leftOut + " times something like it)";
        leftOut = 0;
        return end;
    }

    private void refill() {
        long gained = (clock.nanos() - sinceNanos) / NANOS;
        sinceNanos += gained * NANOS;
        left = (int) Math.min(BURST, left + gained);
    }
}
