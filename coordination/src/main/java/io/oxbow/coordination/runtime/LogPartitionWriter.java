// SPDX-License-Identifier: Apache-2.0
package io.oxbow.coordination.runtime;

import io.oxbow.base.time.Clock;
import io.oxbow.storage.batch.CheckedBatches;
import io.oxbow.storage.log.AppendOrigin;
import io.oxbow.storage.log.AppendOutcome;
import io.oxbow.storage.log.AppendRequest;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
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
 * one of its few event-processor threads and needs the new log end in return. That thread waits for
 * a lane for {@value #PATIENCE_MS} ms at most, and not at all while the lane has an earlier append
 * of the partition: then the end is promised (see {@link AppendLine}), so that a slow disk delays
 * what has to be written to it, and no heartbeat, no other group.
 *
 * <p>A promise that is broken later has the coordinator loaded again. A lane that has not answered
 * within the runtime's time-out gets no further appends: they fail at once with a retriable error.
 *
 * <p>Any thread; the runtime calls for one partition from one thread at a time.
 */
public final class LogPartitionWriter implements PartitionWriter {
    private static final Logger log = LoggerFactory.getLogger(LogPartitionWriter.class);

    /** Longer than a healthy disk takes, shorter than anybody notices. */
    static final long PATIENCE_MS = 20;

    private final Surroundings around;
    private final Function<String, LogConfig> topicConfigs;
    private final long timeoutNanos;

    private record Registration(TopicPartition partition, Listener listener) {}

    // Concurrent maps: changed by the runtime's threads, read by lanes when they answer.
    private final ConcurrentHashMap<Registration, HighWatermarkRelay> relays =
            new ConcurrentHashMap<>();
    private final ConcurrentHashMap<TopicPartition, AppendLine> lines = new ConcurrentHashMap<>();

    /**
     * What a writer works with.
     *
     * @param reload has the coordinator of a partition loaded again; called on lanes, may not block
     */
    public record Surroundings(
            LeaderLogs logs, Clock clock, AppendMetrics metrics, Consumer<TopicPartition> reload) {}

    /**
     * @param topicConfigs the library's form of a topic's configuration
     * @param timeoutMs from when on a lane counts as stalled
     */
    public LogPartitionWriter(
            Surroundings around, Function<String, LogConfig> topicConfigs, long timeoutMs) {
        this.around = around;
        this.topicConfigs = topicConfigs;
        this.timeoutNanos = TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        around.metrics().gaugeStalled(this::stalledPartitions);
    }

    private int stalledPartitions() {
        long now = around.clock().nanos();
        return (int)
                lines.values().stream().filter(line -> line.isStalled(now, timeoutNanos)).count();
    }

    /** The runtime registers when it has loaded a partition: what was promised before is void. */
    @Override
    public void registerListener(TopicPartition partition, Listener listener) {
        lines.computeIfPresent(partition, (key, line) -> line.isBroken() ? null : line);
        HighWatermarkRelay relay =
                new HighWatermarkRelay(
                        leaderLog(partition),
                        () -> committedLimit(partition),
                        end -> listener.onHighWatermarkUpdated(partition, end));
        HighWatermarkRelay before = relays.put(new Registration(partition, listener), relay);
        if (before != null) before.stop();
        relay.start();
    }

    private long committedLimit(TopicPartition partition) {
        AppendLine line = lines.get(partition);
        return line == null ? Long.MAX_VALUE : line.committedLimit();
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

    /**
     * Appends.
     *
     * @return the log end after it, or what that will be
     */
    @Override
    public long append(
            TopicPartition partition,
            VerificationGuard guard,
            MemoryRecords records,
            short transactionVersion) {
        LeaderLog target = leaderLog(partition);
        AppendLine line =
                lines.compute(
                        partition,
                        (key, before) ->
                                before != null && before.isOf(target)
                                        ? before
                                        : new AppendLine(target));
        if (line.isBroken()) throw reloading(partition);
        if (line.isStalled(around.clock().nanos(), timeoutNanos)) throw stalled(partition);
        boolean wait = line.isIdle();
        HandedAppend append = hand(partition, target, line, CoordinatorBatches.of(records));
        if (wait) append.await(patienceMs());
        return switch (line.outcomeOrPromise(append)) {
            case null -> append.endOffset;
            case AppendOutcome.Appended appended -> appended.lastOffset() + 1;
            case AppendOutcome.Duplicate duplicate -> duplicate.lastOffset() + 1;
            case AppendOutcome.Refused refused ->
                    throw AppendRefusals.exception(partition, refused);
        };
    }

    private HandedAppend hand(
            TopicPartition partition, LeaderLog target, AppendLine line, CheckedBatches batches) {
        HandedAppend append = line.add(batches.recordCount(), around.clock().nanos());
        AppendRequest request =
                new AppendRequest(
                        batches,
                        AppendOrigin.COORDINATOR,
                        target.leaderEpoch(),
                        outcome -> answered(partition, line, append, outcome));
        boolean handed = false;
        try {
            handed = target.append(request) || (awaitRoom(target) && target.append(request));
        } finally {
            // Whatever was thrown: one that the lane does not have must not look like a stall.
            if (!handed) line.remove(append);
        }
        if (!handed) throw stalled(partition);
        return append;
    }

    /** On the lane. */
    private void answered(
            TopicPartition partition, AppendLine line, HandedAppend append, AppendOutcome outcome) {
        around.metrics().waited(around.clock().nanos() - append.startNanos);
        if (line.answer(append, outcome)) {
            tell(partition);
            return;
        }
        log.warn(
                "A write to {} that took long has failed and its groups are loaded again: {}",
                partition,
                outcome);
        around.reload().accept(partition);
    }

    private void tell(TopicPartition partition) {
        relays.forEach(
                (registration, relay) -> {
                    if (registration.partition().equals(partition)) relay.tell();
                });
    }

    private boolean awaitRoom(LeaderLog target) {
        CountDownLatch room = new CountDownLatch(1);
        target.whenRoom(room::countDown);
        try {
            return room.await(patienceMs(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            throw new InterruptException(interrupted);
        }
    }

    private long patienceMs() {
        return Math.min(PATIENCE_MS, TimeUnit.NANOSECONDS.toMillis(timeoutNanos));
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
        return around.logs()
                .find(partition)
                .orElseThrow(
                        () ->
                                new NotLeaderOrFollowerException(
                                        "This broker does not lead " + partition));
    }

    private TimeoutException stalled(TopicPartition partition) {
        around.metrics().timedOut();
        return new TimeoutException("The disk of " + partition + " does not take writes now");
    }

    private static NotLeaderOrFollowerException reloading(TopicPartition partition) {
        return new NotLeaderOrFollowerException(
                partition + " is loaded again after a write that failed");
    }
}
