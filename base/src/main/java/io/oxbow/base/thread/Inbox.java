// SPDX-License-Identifier: Apache-2.0
package io.oxbow.base.thread;

import io.oxbow.base.Invariant;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * A bounded queue of messages to one owning thread: many producers, one consumer, first in, first
 * out for each producer. A full inbox refuses ({@link #offer} is false); what that means is the
 * caller's to say: back-pressure, never loss.
 *
 * <p>A ring of slots with a sequence of tickets: a producer takes a ticket by compare-and-set and
 * fills its slot; the consumer takes filled slots in order. The consumer parks when nothing is
 * there, and only a producer that finds it parked pays for waking it.
 */
public final class Inbox<T> {
    private final AtomicReferenceArray<T> slots;
    private final int mask;
    private final AtomicInteger tail = new AtomicInteger();

    /** Messages taken so far; written by the consumer, read by producers to see what is free. */
    private final AtomicInteger head = new AtomicInteger();

    /** Written by the consumer before it parks, cleared by whoever wakes it. */
    private final AtomicInteger parked = new AtomicInteger();

    /** A wake-up that the consumer has not met yet; set by {@link #wake}, cleared by it. */
    private volatile boolean woken;

    /** Set once by the consumer; producers need it to wake the consumer. */
    private volatile Thread consumer;

    /**
     * @param capacity most messages that wait at once; rounded up to a power of two
     */
    public Inbox(int capacity) {
        Invariant.check(capacity > 0 && capacity <= 1 << 24, "an inbox holds 1 to 16M messages");
        int size = Integer.highestOneBit(Math.max(capacity - 1, 1)) << 1;
        slots = new AtomicReferenceArray<>(size);
        mask = size - 1;
    }

    /** Puts a message in; false if the inbox is full. Any thread. */
    public boolean offer(T message) {
        int ticket;
        do {
            ticket = tail.get();
            if (ticket - head.get() > mask) return false;
        } while (!tail.compareAndSet(ticket, ticket + 1));
        slots.set(ticket & mask, message);
        unpark();
        return true;
    }

    /**
     * Wakes the consumer without a message; if it is not parked, its next {@link #await} returns at
     * once: it may be about to park, having looked at everything else before. Any thread.
     */
    public void wake() {
        woken = true;
        unpark();
    }

    private void unpark() {
        if (parked.get() == 1 && parked.compareAndSet(1, 0)) LockSupport.unpark(consumer);
    }

    /** Takes up to {@code limit} messages in order; returns how many. Consumer only. */
    public int drain(Consumer<? super T> into, int limit) {
        int from = head.get();
        int taken = 0;
        while (taken < limit) {
            int slot = (from + taken) & mask;
            T message = slots.get(slot);
            if (message == null) break;
            slots.lazySet(slot, null);
            taken++;
            // Freed one by one: a handler that offers to its own inbox must find room.
            head.lazySet(from + taken);
            into.accept(message);
        }
        return taken;
    }

    /** Parks until a message or a wake-up comes, at most {@code maxNanos}. Consumer only. */
    public void await(long maxNanos) {
        consumer = Thread.currentThread();
        parked.set(1);
        if (slots.get(head.get() & mask) == null && !woken) LockSupport.parkNanos(this, maxNanos);
        parked.set(0);
        woken = false;
    }

    /** Messages waiting now; a snapshot. Any thread. */
    public int size() {
        return tail.get() - head.get();
    }

    public int capacity() {
        return mask + 1;
    }
}
