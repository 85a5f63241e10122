// SPDX-License-Identifier: Apache-2.0
package io.oxbow.base.time;

import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@link Scheduler} over one daemon thread, {@code oxbow-timer}. Closed with the process. */
public final class SystemScheduler implements Scheduler, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(SystemScheduler.class);

    private final ScheduledThreadPoolExecutor executor;

    public SystemScheduler() {
        executor =
                new ScheduledThreadPoolExecutor(
                        1, Thread.ofPlatform().name("oxbow-timer").daemon().factory());
        executor.setRemoveOnCancelPolicy(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    @Override
    public Timer after(long delayMs, Runnable action) {
        return timer(executor.schedule(guarded(action), delayMs, TimeUnit.MILLISECONDS));
    }

    @Override
    public Timer every(long periodMs, Runnable action) {
        return timer(
                executor.scheduleWithFixedDelay(
                        guarded(action), periodMs, periodMs, TimeUnit.MILLISECONDS));
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }

    private static Timer timer(ScheduledFuture<?> future) {
        return () -> future.cancel(false);
    }

    /** An action that throws must not silence its later runs. */
    private static Runnable guarded(Runnable action) {
        return () -> {
            try {
                action.run();
            } catch (Throwable failure) {
                log.error("A timer's action failed; later runs go on", failure);
            }
        };
    }
}
