// SPDX-License-Identifier: Apache-2.0
package io.oxbow.testkit.load;

import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/** Something that a thread of its own does again and again at a pace, each time measured. */
public final class Repeated implements AutoCloseable {

    private final Latencies latencies = new Latencies();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final Thread thread;
    // Written by close(), read by the thread: all that it needs to know.
    private volatile boolean stopping;

    /**
     * Starts.
     *
     * @param perSecond how often, if it is fast enough
     */
    public Repeated(String name, int perSecond, Runnable action) {
        long pauseNanos = 1_000_000_000L / perSecond;
        thread = Thread.ofPlatform().name(name).start(() -> repeat(action, pauseNanos));
    }

    private void repeat(Runnable action, long pauseNanos) {
        try {
            while (!stopping) {
                long begun = System.nanoTime();
                action.run();
                latencies.add(begun, System.nanoTime());
                LockSupport.parkNanos(pauseNanos);
            }
        } catch (RuntimeException | AssertionError e) {
            failure.set(e);
        }
    }

    /** How long each took. */
    public Latencies latencies() {
        return latencies;
    }

    /** What ended it early, or null. */
    public Throwable failure() {
        return failure.get();
    }

    @Override
    public void close() {
        stopping = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
