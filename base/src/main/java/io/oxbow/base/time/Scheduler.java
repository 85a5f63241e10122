// SPDX-License-Identifier: Apache-2.0
package io.oxbow.base.time;

/**
 * Runs short actions later. An action must not block: it posts to an inbox or completes a future.
 * Any thread may schedule and cancel.
 */
public interface Scheduler {

    /** Something that was scheduled. */
    interface Timer {
        /** Prevents a run that has not begun; idempotent. */
        void cancel();
    }

    /** Runs {@code action} once, {@code delayMs} (at least 0) from now. */
    Timer after(long delayMs, Runnable action);

    /** Runs {@code action} every {@code periodMs} (at least 1), the first time after one period. */
    Timer every(long periodMs, Runnable action);
}
