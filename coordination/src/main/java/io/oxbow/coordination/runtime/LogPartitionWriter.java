// SPDX-License-Identifier: Apache-2.0
package io.oxbow.coordination.runtime;

import io.oxbow.base.time.Clock;
import io.oxbow.storage.log.AppendOrigin;
import io.oxbow.storage.log.AppendOutcome;
import io.oxbow.storage.log.AppendRequest;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.NotLeaderOrFollowerException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.coordinator.common.runtime.PartitionWriter;
import org.apache.kafka.storage.internals.log.LogConfig;
import org.apache.kafka.storage.internals.log.VerificationGuard;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a coordinator's records to the lanes. The runtime's contract is synchronous: it appends on
 * one of its event-processor threads and needs the new log end in return, so that thread waits for
 * the lane, at most {@code timeoutMs}.
 *
 * <p>A lane that does not answer in time costs its own partitions only: the append fails with a
 * retriable error, and until the lane has answered every further append to that partition fails at
 * once, so that the processor threads stay free for the others. The late append may still be
 * written; the runtime sees at its next append that the offsets have moved on and loads the
 * partition afresh.
 *
 * <p>Any thread; the runtime calls for one partition from one thread at a time.
 */
public final class LogPartitionWriter implements PartitionWriter {
    private static final Logger log = LoggerFactory.getLogger(LogPartitionWriter.class);

    private final LeaderLogs logs;
    private final Function<String, LogConfig> topicConfigs;
    private final Clock clock;
    private final long timeoutMs;
    private final AppendMetrics metrics;

    private record Registration(TopicPartition partition, Listener listener) {}

    // Concurrent maps: changed by the runtime's threads, "late" also by lanes when they answer.
    private final ConcurrentHashMap<Registration, HighWatermarkRelay> relays =
            new ConcurrentHashMap<>();
    private final ConcurrentHashMap<TopicPartition, AppendWait> late = new ConcurrentHashMap<>();

    /**
     * @param topicConfigs the library's form of a topic's configuration
     * @param timeoutMs longest wait for a lane
     */
    public LogPartitionWriter(
            LeaderLogs logs,
            Function<String, LogConfig> topicConfigs,
            Clock clock,
            long timeoutMs,
            AppendMetrics metrics) {
        this.logs = logs;
        this.topicConfigs = topicConfigs;
        this.clock = clock;
        this.timeoutMs = timeoutMs;
        this.metrics = metrics;
        metrics.gaugeStalled(late::size);
    }

    @Override
    public void registerListener(TopicPartition partition, Listener listener) {
        HighWatermarkRelay relay =
                new HighWatermarkRelay(leaderLog(partition), partition, listener);
        HighWatermarkRelay before = relays.put(new Registration(partition, listener), relay);
        if (before != null) before.stop();
        relay.start();
    }

    @Override
    public void deregisterListener(TopicPartition partition, Listener listener) {
        HighWatermarkRelay relay = relays.remove(new Registration(partition, listener));
        if (relay != null) relay.stop();
    }

    @Override
    public LogConfig config(TopicPartition partition) {
        return topicConfigs.apply(partition.topic());
    }

    /** Returns the log end after the append. */
    @Override
    public long append(
            TopicPartition partition,
            VerificationGuard guard,
            MemoryRecords records,
            short transactionVersion) {
        if (late.containsKey(partition)) throw stalled(partition);
        LeaderLog target = leaderLog(partition);
        AppendWait wait = new AppendWait(clock, timeoutMs);
        AppendRequest request =
                new AppendRequest(
                        CoordinatorBatches.of(records),
                        AppendOrigin.COORDINATOR,
                        target.leaderEpoch(),
                        wait.completion());
        long startNanos = clock.nanos();
        if (!wait.enqueue(target, request)) throw stalled(partition);
        AppendOutcome outcome = wait.await().orElseThrow(() -> abandon(partition, wait));
        metrics.waited(clock.nanos() - startNanos);
        return switch (outcome) {
            case AppendOutcome.Appended appended -> appended.lastOffset() + 1;
            case AppendOutcome.Duplicate duplicate -> duplicate.lastOffset() + 1;
            case AppendOutcome.Refused refused ->
                    throw AppendRefusals.exception(partition, refused);
        };
    }

    /** Verifies nothing: no transaction coordinator serves here yet. */
    @Override
    public CompletableFuture<VerificationGuard> maybeStartTransactionVerification(
            TopicPartition partition,
            String transactionalId,
            long producerId,
            short producerEpoch,
            int apiVersion) {
        return CompletableFuture.completedFuture(VerificationGuard.SENTINEL);
    }

    @Override
    public CompletableFuture<Void> deleteRecords(TopicPartition partition, long beforeOffset) {
        return leaderLog(partition).deleteRecordsBefore(beforeOffset).thenApply(start -> null);
    }

    private LeaderLog leaderLog(TopicPartition partition) {
        return logs.find(partition)
                .orElseThrow(
                        () ->
                                new NotLeaderOrFollowerException(
                                        "This broker does not lead " + partition));
    }

    private TimeoutException abandon(TopicPartition partition, AppendWait wait) {
        log.warn(
                "The disk of {} has not taken a write within {} ms; its groups get a retriable"
                        + " error until it has",
                partition,
                timeoutMs);
        late.put(partition, wait);
        var _ =
                wait.outcome()
                        .thenAccept(
                                outcome -> {
                                    late.remove(partition, wait);
                                    log.info("The late write to {} ended: {}", partition, outcome);
                                });
        return stalled(partition);
    }

    private TimeoutException stalled(TopicPartition partition) {
        metrics.timedOut();
        return new TimeoutException("The disk of " + partition + " does not take writes now");
    }
}
