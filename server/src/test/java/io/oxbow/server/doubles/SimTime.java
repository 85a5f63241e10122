// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.doubles;

import io.oxbow.base.time.Clock;
import io.oxbow.base.time.Scheduler;
import java.util.Comparator;
import java.util.PriorityQueue;

/** A clock and timers that move when the test says so. */
public final class SimTime implements Clock, Scheduler {
    private record Entry(long atMs, long order, Runnable action) {}

    private final PriorityQueue<Entry> entries =
            new PriorityQueue<>(
                    Comparator.comparingLong(Entry::atMs).thenComparingLong(Entry::order));
    private long nowMs;
    private long order;

    @Override
    public long wallMs() {
        return nowMs;
    }

    @Override
    public long nanos() {
        return nowMs * 1_000_000;
    }

    @Override
    public Timer after(long delayMs, Runnable action) {
        Entry entry = new Entry(nowMs + delayMs, order++, action);
        entries.add(entry);
        return () -> entries.remove(entry);
    }

    @Override
    public Timer every(long periodMs, Runnable action) {
        throw new AssertionError("nothing here is periodic");
    }

    /** Lets {@code ms} pass and runs what falls due. */
    public void pass(long ms) {
        long until = nowMs + ms;
        while (!entries.isEmpty() && entries.peek().atMs() <= until) {
            Entry next = entries.remove();
            nowMs = next.atMs();
            next.action().run();
        }
        nowMs = until;
    }

    public int timers() {
        return entries.size();
    }
}
