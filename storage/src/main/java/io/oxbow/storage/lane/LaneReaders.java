// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.lane;

import io.oxbow.base.thread.Threads;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The readers of one disk: virtual threads that may wait for it, a bounded number at a time, so
 * that a slow disk is asked for no more than it can do and holds no other. Any thread submits.
 *
 * <p>What waits is bounded by those who ask: a connection has one fetch in flight.
 */
final class LaneReaders {
    private static final Logger log = LoggerFactory.getLogger(LaneReaders.class);

    private final String name;
    private final Threads threads;
    private final int limit;
    private final ConcurrentLinkedQueue<Runnable> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger running = new AtomicInteger();

    /** Counted apart: the queue's own size is a walk. */
    private final AtomicInteger waitingCount = new AtomicInteger();

    LaneReaders(String name, Threads threads, int limit) {
        this.name = name;
        this.threads = threads;
        this.limit = limit;
    }

    /**
     * Runs a task that may block; one that fails is logged, whatever it met, and the others go on:
     * a reader changes nothing, so nothing is half done.
     */
    void run(Runnable task) {
        // First, or whoever takes it could count it down before.
        waitingCount.incrementAndGet();
        waiting.add(task);
        startOne();
    }

    int waiting() {
        return waitingCount.get();
    }

    private void startOne() {
        int now;
        do {
            now = running.get();
            if (now >= limit) return;
        } while (!running.compareAndSet(now, now + 1));
        threads.startTask(name, this::work);
    }

    private void work() {
        try {
            Runnable task;
            while ((task = waiting.poll()) != null) {
                waitingCount.decrementAndGet();
                guarded(task);
            }
        } finally {
            running.decrementAndGet();
        }
        // A task that came between the last look and the count going down.
        if (!waiting.isEmpty()) startOne();
    }

    private void guarded(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error failure) {
            log.error("A task of {} failed", name, failure);
        }
    }
}
