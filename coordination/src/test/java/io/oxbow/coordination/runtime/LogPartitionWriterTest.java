// SPDX-License-Identifier: Apache-2.0
package io.oxbow.coordination.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.oxbow.base.time.SystemClock;
import io.oxbow.storage.log.AppendOutcome.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.errors.KafkaStorageException;
import org.apache.kafka.common.errors.NotLeaderOrFollowerException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.coordinator.common.runtime.PartitionWriter;
import org.apache.kafka.storage.internals.log.LogConfig;
import org.apache.kafka.storage.internals.log.VerificationGuard;
import org.junit.jupiter.api.Test;

class LogPartitionWriterTest {
    private static final TopicPartition LED = new TopicPartition("__consumer_offsets", 3);
    private static final TopicPartition NOT_LED = new TopicPartition("__consumer_offsets", 4);

    private final SimLeaderLog log = new SimLeaderLog(7);
    private final Metrics metrics = new Metrics();

    private LogPartitionWriter writer(long timeoutMs) {
        return new LogPartitionWriter(
                partition -> partition.equals(LED) ? Optional.of(log) : Optional.empty(),
                topic -> new LogConfig(Map.of()),
                SystemClock.INSTANCE,
                timeoutMs,
                new AppendMetrics(metrics, "test"));
    }

    private static long append(LogPartitionWriter writer, TopicPartition to, int records) {
        SimpleRecord[] all = new SimpleRecord[records];
        for (int i = 0; i < records; i++) all[i] = new SimpleRecord(0, bytes("k" + i), bytes("v"));
        return writer.append(
                to,
                VerificationGuard.SENTINEL,
                MemoryRecords.withRecords(Compression.NONE, all),
                (short) 0);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    private double metric(String name) {
        return ((Number) metrics.metric(metrics.metricName(name, "test")).metricValue())
                .doubleValue();
    }

    @Test
    void shouldReturnTheLogEndAfterAnAppend() {
        LogPartitionWriter writer = writer(60_000);
        assertEquals(3, append(writer, LED, 3));
        assertEquals(5, append(writer, LED, 2));
    }

    @Test
    void shouldRefuseAPartitionThatAnotherBrokerLeads() {
        LogPartitionWriter writer = writer(60_000);
        assertThrows(NotLeaderOrFollowerException.class, () -> append(writer, NOT_LED, 1));
    }

    @Test
    void shouldTurnAnOfflineDirectoryIntoAStorageError() {
        log.refuse(Reason.DIRECTORY_OFFLINE);
        LogPartitionWriter writer = writer(60_000);
        assertThrows(KafkaStorageException.class, () -> append(writer, LED, 1));
    }

    @Test
    void shouldFailAtOnceWhileALateWriteIsUnderWayAndWorkAgainAfterIt() {
        log.stall();
        LogPartitionWriter writer = writer(1);
        assertThrows(TimeoutException.class, () -> append(writer, LED, 1));
        assertEquals(1, metric("log-append-stalled-partitions"));
        assertThrows(TimeoutException.class, () -> append(writer, LED, 1));
        assertEquals(2, metric("log-append-timeouts-total"));

        log.resume();
        assertEquals(0, metric("log-append-stalled-partitions"));
        assertEquals(1, log.view().endOffset(), "only the first one was handed to the lane");
        assertEquals(2, append(writer, LED, 1));
    }

    @Test
    void shouldWaitForRoomInAFullInbox() throws Exception {
        log.fill();
        LogPartitionWriter writer = writer(60_000);
        CompletableFuture<Long> end = CompletableFuture.supplyAsync(() -> append(writer, LED, 1));
        while (!log.someoneWaitsForRoom()) Thread.onSpinWait();
        log.makeRoom();
        assertEquals(1, end.get(60, TimeUnit.SECONDS));
    }

    @Test
    void shouldTellTheHighWatermarkUntilDeregistered() {
        LogPartitionWriter writer = writer(60_000);
        append(writer, LED, 2);
        List<Long> told = new ArrayList<>();
        PartitionWriter.Listener listener = (partition, offset) -> told.add(offset);

        writer.registerListener(LED, listener);
        append(writer, LED, 1);
        append(writer, LED, 1);
        writer.deregisterListener(LED, listener);
        append(writer, LED, 1);

        assertEquals(List.of(2L, 3L, 4L), told);
        assertEquals(0, log.watcherCount());
    }

    @Test
    void shouldNotWatchALogThatCanNoLongerBeRead() {
        LogPartitionWriter writer = writer(60_000);
        writer.registerListener(LED, (partition, offset) -> {});
        log.becomeUnavailable("directory offline");
        assertEquals(0, log.watcherCount());
    }
}
