// SPDX-License-Identifier: Apache-2.0
package io.oxbow.coordination.runtime;

import io.oxbow.storage.lane.HostedLog;
import io.oxbow.storage.lane.LogWatcher;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Tells a coordinator how far its log is committed. A log's watch fires once, so it is armed again
 * before the view is read: a movement in between then fires the new one, and none is missed. Runs
 * on the lane's thread; the coordinator's listener only queues an event.
 */
final class HighWatermarkRelay implements LogWatcher {
    private final LeaderLog log;
    private final LongSupplier limit;
    private final LongConsumer listener;

    /** Highest told so far; advanced by whichever lane or runtime thread gets there first. */
    private final AtomicLong told = new AtomicLong(-1);

    /**
     * Set once by a runtime thread, read by the lane: a message to the lane would come too late.
     */
    private volatile boolean stopped;

    /**
     * @param limit up to where a high watermark may be told now; once it rises, {@link #tell} is
     *     called
     */
    HighWatermarkRelay(LeaderLog log, LongSupplier limit, LongConsumer listener) {
        this.log = log;
        this.limit = limit;
        this.listener = listener;
    }

    /** Tells the present high watermark and every later one. */
    void start() {
        moved(null);
    }

    void stop() {
        stopped = true;
        log.unwatch(this);
    }

    @Override
    public void moved(HostedLog ignored) {
        if (stopped || log.unavailableBecause() != null) return;
        log.watch(this);
        tell();
    }

    /** Tells the high watermark if it is news. */
    void tell() {
        if (stopped) return;
        // The limit is read last: what the high watermark counts was handed over before.
        long highWatermark = log.view().highWatermark();
        long committed = Math.min(highWatermark, limit.getAsLong());
        long before = told.getAndAccumulate(committed, Math::max);
        if (committed > before) listener.accept(committed);
    }
}
