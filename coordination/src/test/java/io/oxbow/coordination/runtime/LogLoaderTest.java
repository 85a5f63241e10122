// SPDX-License-Identifier: Apache-2.0
package io.oxbow.coordination.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.oxbow.base.error.CorruptException;
import io.oxbow.base.thread.Threads;
import io.oxbow.base.time.SystemClock;
import io.oxbow.storage.batch.CheckedBatches;
import io.oxbow.storage.log.AppendOrigin;
import io.oxbow.storage.log.AppendRequest;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.errors.NotLeaderOrFollowerException;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.EndTransactionMarker;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.requests.TransactionResult;
import org.apache.kafka.coordinator.common.runtime.CoordinatorLoader.LoadSummary;
import org.apache.kafka.coordinator.common.runtime.CoordinatorPlayback;
import org.apache.kafka.coordinator.common.runtime.Deserializer;
import org.junit.jupiter.api.Test;

class LogLoaderTest {
    private static final TopicPartition PARTITION = new TopicPartition("__consumer_offsets", 0);

    private final SimLeaderLog log = new SimLeaderLog(1);
    private final RecordingPlayback playback = new RecordingPlayback();
    private final List<TopicPartition> reloads = new CopyOnWriteArrayList<>();

    /** Notes what is played, one line for each call. */
    private static final class RecordingPlayback implements CoordinatorPlayback<String> {
        final List<String> played = new ArrayList<>();
        long written = -1;
        long committed = -1;

        @Override
        public void replay(long offset, long producerId, short producerEpoch, String record) {
            played.add(offset + " " + record + " by " + producerId);
        }

        @Override
        public void replayEndTransactionMarker(long producerId, short epoch, TransactionResult r) {
            played.add(r + " of " + producerId + "/" + epoch);
        }

        @Override
        public void updateLastWrittenOffset(long offset) {
            written = offset;
        }

        @Override
        public void updateLastCommittedOffset(long offset) {
            committed = offset;
        }
    }

    private static String deserialize(ByteBuffer key, ByteBuffer value) {
        String text = UTF_8.decode(key).toString();
        if (text.equals("from-the-future")) {
            throw new Deserializer.UnknownRecordTypeException((short) 99);
        }
        if (text.equals("garbage")) throw new IllegalArgumentException("no record");
        return text + (value == null ? " deleted" : "=" + UTF_8.decode(value));
    }

    private LoadSummary load(int bufferBytes) throws Exception {
        LeaderLogs logs =
                partition -> partition.equals(PARTITION) ? Optional.of(log) : Optional.empty();
        return loader(logs, bufferBytes).load(PARTITION, playback).get(60, TimeUnit.SECONDS);
    }

    private LogLoader<String> loader(LeaderLogs logs, int bufferBytes) {
        return new LogLoader<>(
                logs,
                LogLoaderTest::deserialize,
                Threads.SYSTEM,
                SystemClock.INSTANCE,
                bufferBytes,
                reloads::add);
    }

    private void append(MemoryRecords records) {
        append(log, records);
    }

    private static void append(SimLeaderLog log, MemoryRecords records) {
        CheckedBatches batches = CoordinatorBatches.of(records);
        log.append(new AppendRequest(batches, AppendOrigin.COORDINATOR, 1, outcome -> {}));
    }

    private static SimpleRecord record(String key, String value) {
        return new SimpleRecord(
                0, key.getBytes(UTF_8), value == null ? null : value.getBytes(UTF_8));
    }

    private static MemoryRecords marker(long producerId, ControlRecordType type) {
        return MemoryRecords.withEndTransactionMarker(
                producerId, (short) 2, new EndTransactionMarker(type, 0));
    }

    private static MemoryRecords transactional(long producerId, SimpleRecord... records) {
        return MemoryRecords.withTransactionalRecords(
                Compression.NONE, producerId, (short) 2, 0, records);
    }

    @Test
    void shouldPlayRecordsAndMarkersInTheOrderOfTheLog() throws Exception {
        append(MemoryRecords.withRecords(Compression.NONE, record("a", "1"), record("b", "2")));
        append(transactional(40, record("c", "3")));
        append(transactional(41, record("d", "4")));
        append(marker(41, ControlRecordType.ABORT));
        append(marker(40, ControlRecordType.COMMIT));
        append(MemoryRecords.withRecords(Compression.gzip().build(), record("a", null)));

        LoadSummary summary = load(1 << 20);

        assertEquals(
                List.of(
                        "0 a=1 by -1",
                        "1 b=2 by -1",
                        "2 c=3 by 40",
                        "3 d=4 by 41",
                        "ABORT of 41/2",
                        "COMMIT of 40/2",
                        "6 a deleted by -1"),
                playback.played);
        assertEquals(7, summary.numRecords());
        assertEquals(7, playback.written);
        assertEquals(7, playback.committed);
    }

    @Test
    void shouldLoadFromAHealthyDirectoryWhileAnotherHangs() throws Exception {
        append(MemoryRecords.withRecords(Compression.NONE, record("a", "1")));
        SimLeaderLog sick = new SimLeaderLog(1);
        append(sick, MemoryRecords.withRecords(Compression.NONE, record("b", "2")));
        CountDownLatch reading = new CountDownLatch(LogLoader.LOADS_PER_DIRECTORY);
        sick.hang(reading::countDown);
        LogLoader<String> loader =
                loader(partition -> Optional.of(partition.equals(PARTITION) ? log : sick), 1 << 20);
        for (int i = 0; i <= LogLoader.LOADS_PER_DIRECTORY; i++) {
            var _ =
                    loader.load(
                            new TopicPartition("__consumer_offsets", 1 + i),
                            new RecordingPlayback());
        }
        assertTrue(reading.await(60, TimeUnit.SECONDS));

        loader.load(PARTITION, playback).get(20, TimeUnit.SECONDS);

        assertEquals(List.of("0 a=1 by -1"), playback.played);
    }

    @Test
    void shouldLoadTheSameByReadsOfOneBatch() throws Exception {
        for (int i = 0; i < 20; i++) {
            append(MemoryRecords.withRecords(Compression.NONE, record("k" + i, "v")));
        }
        load(1);
        assertEquals(20, playback.played.size());
        assertEquals("19 k19=v by -1", playback.played.getLast());
    }

    @Test
    void shouldReadThroughTheLaneWhatIsNotCached() throws Exception {
        append(MemoryRecords.withRecords(Compression.NONE, record("a", "1")));
        log.cool();
        load(1 << 20);
        assertEquals(List.of("0 a=1 by -1"), playback.played);
    }

    @Test
    void shouldBeginAtTheLogStart() throws Exception {
        append(MemoryRecords.withRecords(Compression.NONE, record("a", "1")));
        append(MemoryRecords.withRecords(Compression.NONE, record("b", "2")));
        log.deleteRecordsBefore(1).join();
        load(1 << 20);
        assertEquals(List.of("1 b=2 by -1"), playback.played);
    }

    @Test
    void shouldSkipRecordsOfANewerVersion() throws Exception {
        append(
                MemoryRecords.withRecords(
                        Compression.NONE, record("from-the-future", "?"), record("a", "1")));
        load(1 << 20);
        assertEquals(List.of("1 a=1 by -1"), playback.played);
    }

    @Test
    void shouldNameTheOffsetOfARecordThatCannotBeRead() {
        append(MemoryRecords.withRecords(Compression.NONE, record("a", "1")));
        append(MemoryRecords.withRecords(Compression.NONE, record("garbage", "?")));
        ExecutionException failure = assertThrows(ExecutionException.class, () -> load(1 << 20));
        assertInstanceOf(CorruptException.class, failure.getCause());
        assertEquals(
                "__consumer_offsets-0: the record at offset 1 cannot be read",
                failure.getCause().getMessage());
    }

    @Test
    void shouldFailWhenThisBrokerDoesNotLead() {
        LogLoader<String> loader =
                new LogLoader<>(
                        partition -> Optional.empty(),
                        LogLoaderTest::deserialize,
                        Threads.SYSTEM,
                        SystemClock.INSTANCE,
                        1024,
                        reloads::add);
        ExecutionException failure =
                assertThrows(
                        ExecutionException.class,
                        () -> loader.load(PARTITION, playback).get(60, TimeUnit.SECONDS));
        assertInstanceOf(NotLeaderOrFollowerException.class, failure.getCause());
    }
}
