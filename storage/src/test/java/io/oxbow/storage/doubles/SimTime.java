// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.doubles;

import io.oxbow.base.time.Clock;
import io.oxbow.base.time.Scheduler;
import java.util.Comparator;
import java.util.PriorityQueue;

/** A clock and timers that move when the test says so. Any thread; actions run where it moves. */
public final class SimTime implements Clock, Scheduler {
    private record Entry(long atMs, long order, long periodMs, Runnable action) {}

    private final PriorityQueue<Entry> entries =
            new PriorityQueue<>(
                    Comparator.comparingLong(Entry::atMs).thenComparingLong(Entry::order));
    private long nowMs = 1_000_000_000_000L;
    private long nextOrder;

    @Override
    public synchronized long wallMs() {
        return nowMs;
    }

    @Override
    public synchronized long nanos() {
        return nowMs * 1_000_000;
    }

    @Override
    public synchronized Timer after(long delayMs, Runnable action) {
        return add(nowMs + delayMs, 0, action);
    }

    @Override
    public synchronized Timer every(long periodMs, Runnable action) {
        return add(nowMs + periodMs, periodMs, action);
    }

    /** Lets {@code ms} pass and runs what falls due, in order. */
    public void pass(long ms) {
        long until = wallMs() + ms;
        Entry next;
        while ((next = takeDue(until)) != null) next.action().run();
        synchronized (this) {
            nowMs = until;
        }
    }

    private synchronized Entry takeDue(long until) {
        Entry next = entries.peek();
        if (next == null || next.atMs() > until) return null;
        entries.remove();
        nowMs = Math.max(nowMs, next.atMs());
        if (next.periodMs() > 0) {
            entries.add(
                    new Entry(
                            next.atMs() + next.periodMs(),
                            next.order(),
                            next.periodMs(),
                            next.action()));
        }
        return next;
    }

    private Timer add(long atMs, long periodMs, Runnable action) {
        long order = nextOrder++;
        entries.add(new Entry(atMs, order, periodMs, action));
        return () -> cancel(order);
    }

    private synchronized void cancel(long order) {
        entries.removeIf(entry -> entry.order() == order);
    }
}
