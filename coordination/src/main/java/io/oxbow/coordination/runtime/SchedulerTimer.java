// SPDX-License-Identifier: Apache-2.0
package io.oxbow.coordination.runtime;

import io.oxbow.base.time.Clock;
import io.oxbow.base.time.Scheduler;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.server.util.timer.Timer;
import org.apache.kafka.server.util.timer.TimerTask;
import org.apache.kafka.server.util.timer.TimerTaskEntry;

/**
 * The library's timer over our scheduler. A task that is cancelled stays queued until its time and
 * then does nothing. Tasks run on the scheduler's thread: the coordinator runtime's only queue an
 * event. Any thread.
 */
public final class SchedulerTimer implements Timer {
    private final Scheduler scheduler;
    private final Clock clock;
    private final AtomicInteger waiting = new AtomicInteger();

    /**
     * Written by {@link #close}, read by the scheduler's thread: a run that comes later is void.
     */
    private volatile boolean closed;

    public SchedulerTimer(Scheduler scheduler, Clock clock) {
        this.scheduler = scheduler;
        this.clock = clock;
    }

    @Override
    public void add(TimerTask task) {
        long delayMs = Math.max(0, task.delayMs);
        TimerTaskEntry entry = new TimerTaskEntry(task, clock.nanos() / 1_000_000 + delayMs);
        waiting.incrementAndGet();
        scheduler.after(delayMs, () -> fire(entry));
    }

    private void fire(TimerTaskEntry entry) {
        waiting.decrementAndGet();
        if (!closed && !entry.cancelled()) entry.timerTask.run();
    }

    /** Nothing to advance: the scheduler does. */
    @Override
    public boolean advanceClock(long timeoutMs) {
        return false;
    }

    @Override
    public int size() {
        return waiting.get();
    }

    @Override
    public void close() {
        closed = true;
    }
}
