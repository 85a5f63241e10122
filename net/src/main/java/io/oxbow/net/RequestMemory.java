// SPDX-License-Identifier: Apache-2.0
package io.oxbow.net;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bytes of requests in memory over all connections, bounded by {@code queued.max.request.bytes}. As
 * in Kafka a request is let in while anything is left, so that one may exceed the bound but no
 * request is too large for it. Any thread.
 */
final class RequestMemory {
    private final long limitBytes;
    private final AtomicLong usedBytes = new AtomicLong();
    private final ConcurrentLinkedQueue<Runnable> waiters = new ConcurrentLinkedQueue<>();

    /**
     * @param limitBytes not positive: no bound
     */
    RequestMemory(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    /** Takes {@code bytes}; if nothing is left, takes none, and {@code waiter} is called later. */
    boolean take(int bytes, Runnable waiter) {
        if (limitBytes <= 0) return true;
        if (tryTake(bytes)) return true;
        waiters.add(waiter);
        // Somebody may have given all back before we were queued: then nobody else would call.
        wakeIfRoom();
        return false;
    }

    void give(int bytes) {
        if (limitBytes <= 0) return;
        usedBytes.addAndGet(-bytes);
        wakeIfRoom();
    }

    long usedBytes() {
        return usedBytes.get();
    }

    private boolean tryTake(int bytes) {
        long used;
        do {
            used = usedBytes.get();
            if (used >= limitBytes) return false;
        } while (!usedBytes.compareAndSet(used, used + bytes));
        return true;
    }

    private void wakeIfRoom() {
        while (usedBytes.get() < limitBytes) {
            Runnable waiter = waiters.poll();
            if (waiter == null) return;
            waiter.run();
        }
    }
}
