// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.compaction;

import io.oxbow.base.time.Clock;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * How fast a compactor may read and write ({@code log.cleaner.io.max.bytes.per.second}), and
 * whether it still may: every step asks here, so that a stop takes effect within one chunk. Used by
 * one compactor; anyone may {@link #stop} it.
 */
final class CompactionPace {
    private static final double UNLIMITED = 1e15;

    private final Clock clock;
    private final double bytesPerSecond;
    private final CountDownLatch stopped = new CountDownLatch(1);

    /** When the bytes taken so far are paid for. */
    private long paidUntilNanos;

    /**
     * @param bytesPerSecond reads and writes together; a huge value means no limit
     */
    CompactionPace(Clock clock, double bytesPerSecond) {
        this.clock = clock;
        this.bytesPerSecond = bytesPerSecond;
    }

    /**
     * Waits until {@code bytes} more may be read or written.
     *
     * @throws CancellationException if the compactor was stopped
     */
    void take(long bytes) {
        if (stopped.getCount() == 0) throw new CancellationException("compaction was stopped");
        if (bytesPerSecond >= UNLIMITED) return;
        long now = clock.nanos();
        long waitNanos = Math.max(0, paidUntilNanos - now);
        paidUntilNanos = now + waitNanos + (long) (bytes / bytesPerSecond * 1e9);
        if (waitNanos > 0) pause(TimeUnit.NANOSECONDS.toMillis(waitNanos) + 1);
    }

    /** Waits {@code ms}, or less if it is stopped; true if it is stopped. */
    boolean pause(long ms) {
        try {
            return stopped.await(ms, TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            stop();
            return true;
        }
    }

    void stop() {
        stopped.countDown();
    }

    boolean isStopped() {
        return stopped.getCount() == 0;
    }
}
