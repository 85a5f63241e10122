// SPDX-License-Identifier: Apache-2.0
package io.oxbow.coordination.runtime;

import io.oxbow.storage.lane.HostedLog;
import io.oxbow.storage.lane.LogWatcher;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.coordinator.common.runtime.PartitionWriter;

/**
 * Tells a coordinator how far its log is committed. A log's watch fires once, so it is armed again
 * before the view is read: a movement in between then fires the new one, and none is missed. Runs
 * on the lane's thread; the coordinator's listener only queues an event.
 */
final class HighWatermarkRelay implements LogWatcher {
    private final LeaderLog log;
    private final TopicPartition partition;
    private final PartitionWriter.Listener listener;

    /** Highest told so far; advanced by whichever lane or runtime thread gets there first. */
    private final AtomicLong told = new AtomicLong(-1);

    /**
     * Set once by a runtime thread, read by the lane: a message to the lane would come too late.
     */
    private volatile boolean stopped;

    HighWatermarkRelay(LeaderLog log, TopicPartition partition, PartitionWriter.Listener listener) {
        this.log = log;
        this.partition = partition;
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
        long highWatermark = log.view().highWatermark();
        long before = told.getAndAccumulate(highWatermark, Math::max);
        if (highWatermark > before) listener.onHighWatermarkUpdated(partition, highWatermark);
    }
}
