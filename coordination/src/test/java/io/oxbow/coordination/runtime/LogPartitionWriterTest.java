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
    private final List<TopicPartition> reloaded = new ArrayList<>();

    private LogPartitionWriter writer(long timeoutMs) {
        return new LogPartitionWriter(
                new LogPartitionWriter.Surroundings(
                        partition -> partition.equals(LED) ? Optional.of(log) : Optional.empty(),
                        SystemClock.INSTANCE,
                        new AppendMetrics(metrics, "test"),
                        reloaded::add),
                topic -> new LogConfig(Map.of()),
                timeoutMs);
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
    void shouldPromiseWhereTheLogWillEndWhileTheLaneIsSlow() {
        LogPartitionWriter writer = writer(60_000);
        List<Long> told = new ArrayList<>();
        writer.registerListener(LED, (partition, offset) -> told.add(offset));
        append(writer, LED, 1);

        log.stall();
        assertEquals(3, append(writer, LED, 2));
        assertEquals(4, append(writer, LED, 1));
        assertEquals(List.of(0L, 1L), told, "nothing is committed that is not written");

        log.resume();
        assertEquals(4, told.getLast());
        assertEquals(List.of(), reloaded);
        assertEquals(5, append(writer, LED, 1));
    }

    @Test
    void shouldHaveTheCoordinatorLoadedAgainWhenAPromisedAppendFails() {
        LogPartitionWriter writer = writer(60_000);
        List<Long> told = new ArrayList<>();
        PartitionWriter.Listener listener = (partition, offset) -> told.add(offset);
        writer.registerListener(LED, listener);
        append(writer, LED, 1);

        log.stall();
        append(writer, LED, 2);
        append(writer, LED, 5);
        log.refuse(Reason.DIRECTORY_FULL, 1);
        log.resume();

        assertEquals(6, log.view().endOffset(), "the second one was written, at the first's place");
        assertEquals(List.of(LED), reloaded.subList(0, 1));
        assertEquals(1, told.getLast(), "the second one must not count for the first");
        assertThrows(NotLeaderOrFollowerException.class, () -> append(writer, LED, 1));

        writer.deregisterListener(LED, listener);
        writer.registerListener(LED, listener);
        assertEquals(6, told.getLast(), "what was loaded is committed");
        assertEquals(7, append(writer, LED, 1));
    }

    @Test
    void shouldFailAtOnceWhileALateWriteIsUnderWayAndWorkAgainAfterIt() {
        log.stall();
        LogPartitionWriter writer = writer(1);
        assertEquals(1, append(writer, LED, 1));
        while (metric("log-append-stalled-partitions") < 1) Thread.onSpinWait();
        assertThrows(TimeoutException.class, () -> append(writer, LED, 1));
        assertEquals(1, metric("log-append-timeouts-total"));

        log.resume();
        assertEquals(0, metric("log-append-stalled-partitions"));
        assertEquals(1, log.view().endOffset(), "only the first one was handed to the lane");
        assertEquals(2, append(writer, LED, 1));
    }

    @Test
    void shouldWaitALittleForRoomInAFullInbox() {
        log.fill();
        log.whenSomeoneWaitsForRoom(log::makeRoom);
        assertEquals(1, append(writer(60_000), LED, 1));
    }

    @Test
    void shouldFailWhenAFullInboxStaysFull() {
        log.fill();
        LogPartitionWriter writer = writer(60_000);
        assertThrows(TimeoutException.class, () -> append(writer, LED, 1));
        log.makeRoom();
        assertEquals(1, append(writer, LED, 1));
    }

    @Test
    void shouldGoOnAfterAnAppendThatThrows() {
        LogPartitionWriter writer = writer(60_000);
        append(writer, LED, 1);
        log.failNextAppend(new IllegalStateException("the lane is broken"));
        assertThrows(IllegalStateException.class, () -> append(writer, LED, 2));

        log.stall();
        assertEquals(2, append(writer, LED, 1), "the failed one takes no offsets");
        log.resume();
        assertEquals(2, log.view().endOffset());
        assertEquals(List.of(), reloaded);
    }

    @Test
    void shouldNotCallALaneStalledForAnAppendThatItNeverHad() {
        LogPartitionWriter writer = writer(0);
        log.failNextAppend(new IllegalStateException("the lane is broken"));
        assertThrows(IllegalStateException.class, () -> append(writer, LED, 1));
        assertEquals(0, metric("log-append-stalled-partitions"));
        assertEquals(1, append(writer, LED, 1));
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
