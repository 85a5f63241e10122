// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.lane;

import io.oxbow.base.time.Clock;

/**
 * Counts and times what one lane does. Written by the lane alone, read by any thread: the counters
 * are volatile so that readers see them move, and written in one place each.
 */
final class LaneMeter {
    private static final long IDLE = Long.MIN_VALUE;

    private final Clock clock;
    private final LatencyHistogram writeTimes = new LatencyHistogram();
    private final LatencyHistogram syncTimes = new LatencyHistogram();

    private volatile long busySinceNanos = IDLE;
    private volatile long appends;
    private volatile long appendedBytes;
    private volatile long writes;
    private volatile long syncs;
    private volatile double bytesPerSecond;

    private long lastTickNanos;
    private long bytesAtLastTick;
    private int ticks;

    LaneMeter(Clock clock) {
        this.clock = clock;
        lastTickNanos = clock.nanos();
    }

    void busy() {
        busySinceNanos = clock.nanos();
    }

    void idle() {
        busySinceNanos = IDLE;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // the lane is the only writer
    void appended(int count, long bytes) {
        appends += count;
        appendedBytes += bytes;
    }

    /** Runs one write to the disk and takes its time. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // the lane is the only writer
    void write(Runnable write) {
        long start = clock.nanos();
        write.run();
        writeTimes.record(clock.nanos() - start);
        writes++;
    }

    /** Runs one sync of the disk and takes its time. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // the lane is the only writer
    void sync(Runnable sync) {
        long start = clock.nanos();
        sync.run();
        syncTimes.record(clock.nanos() - start);
        syncs++;
    }

    /** Called about once a second by the lane: renews the rate, lets old times fade. */
    void tick() {
        long now = clock.nanos();
        double seconds = Math.max(now - lastTickNanos, 1) / 1e9;
        double rate = (appendedBytes - bytesAtLastTick) / seconds;
        // A moving average over some ten seconds.
        bytesPerSecond = bytesPerSecond * 0.9 + rate * 0.1;
        lastTickNanos = now;
        bytesAtLastTick = appendedBytes;
        if (++ticks % 30 == 0) {
            writeTimes.decay();
            syncTimes.decay();
        }
    }

    double bytesPerSecond() {
        return bytesPerSecond;
    }

    long syncs() {
        return syncs;
    }

    LaneMetrics snapshot(LogDirectory home, int queued, int capacity, int readsWaiting) {
        long since = busySinceNanos;
        return new LaneMetrics(
                home.path(),
                home.id(),
                home.state(),
                queued,
                capacity,
                appends,
                appendedBytes,
                bytesPerSecond,
                writes,
                syncs,
                writeTimes.percentileMicros(0.99),
                syncTimes.percentileMicros(0.99),
                since == IDLE ? 0 : Math.max(0, (clock.nanos() - since) / 1_000_000),
                readsWaiting);
    }
}
