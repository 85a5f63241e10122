// SPDX-License-Identifier: Apache-2.0
package io.oxbow.base.error;

import io.oxbow.base.time.Clock;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

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

    /**
     * Has a line written if one may be written now.
     *
     * @param line is given the end of the line, mostly empty; not called if there is to be none
     */
    public void line(Consumer<String> line) {
        String end = take();
        if (end != null) line.accept(end);
    }

    private synchronized String take() {
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
