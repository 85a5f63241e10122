// SPDX-License-Identifier: Apache-2.0
package io.oxbow.metadata.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.oxbow.base.file.FileSystem;
import io.oxbow.base.file.NativeFileSystem;
import io.oxbow.base.file.StoreFile;
import io.oxbow.base.thread.Threads;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.StreamSupport;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.errors.OffsetOutOfRangeException;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.raft.Isolation;
import org.apache.kafka.raft.LogAppendInfo;
import org.apache.kafka.raft.LogFetchInfo;
import org.apache.kafka.raft.LogOffsetMetadata;
import org.apache.kafka.raft.ValidOffsetAndEpoch;
import org.apache.kafka.server.common.OffsetAndEpoch;
import org.apache.kafka.snapshot.RawSnapshotWriter;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OxbowRaftLogTest {
    private static final String SEGMENT = "00000000000000000000.log";

    private final FileSystem files = NativeFileSystem.INSTANCE;
    private final RecordingScheduler scheduler = new RecordingScheduler();
    private final SimClock clock = new SimClock();
    private final Threads inline = new InlineThreads();
    private MetadataLogLimits limits = MetadataLogLimits.DEFAULTS;
    private Path directory;
    private Path folder;
    private OxbowRaftLog log;

    @BeforeEach
    void emptyLog(@TempDir Path temp) {
        directory = temp;
        folder = temp.resolve("__cluster_metadata-0");
        log = open();
    }

    @Test
    void shouldBeginEmptyUnderTheMetadataTopicsId() {
        assertEquals(0, log.startOffset());
        assertEquals(0, log.endOffset().offset());
        assertEquals(0, log.lastFetchedEpoch());
        assertEquals(Optional.empty(), log.latestSnapshotId());
        String metadata =
                new String(
                        files.readAll(folder.resolve("partition.metadata")),
                        StandardCharsets.UTF_8);
        assertTrue(metadata.contains("topic_id: AAAAAAAAAAAAAAAAAAAAAQ"), metadata);
    }

    @Test
    void shouldReadBackWhatTheLeaderAppended() {
        LogAppendInfo first = append(1, 0, "a", "b");
        LogAppendInfo second = append(1, 2, "c");

        assertEquals(new LogAppendInfo(0, 1), first);
        assertEquals(new LogAppendInfo(2, 2), second);
        assertEquals(3, log.endOffset().offset());
        assertEquals(1, log.lastFetchedEpoch());
        assertEquals(List.of("a", "b", "c"), values(read(0)));
        assertEquals(List.of("c"), values(read(2)));
    }

    @Test
    void shouldSayWhereTheFirstBatchOfAReadBegins() {
        append(1, 0, "a", "b");

        assertEquals(0, read(1).startOffsetMetadata.offset());
        assertEquals(2, read(2).startOffsetMetadata.offset());
    }

    @Test
    void shouldReturnCopiesThatOutliveTheLog() {
        append(1, 0, "a");
        LogFetchInfo copy = read(0);
        log.close();
        files.deleteTree(folder);

        assertEquals(List.of("a"), values(copy));
    }

    @Test
    void shouldReadAtLeastOneBatchWhateverTheByteLimit() {
        append(1, 0, "a", "b");
        append(1, 2, "c");

        assertEquals(List.of("a", "b"), values(log.read(0, Isolation.UNCOMMITTED, 1)));
    }

    @Test
    void shouldShowOnlyWhatIsCommittedToReadersWhoAskForThat() {
        append(1, 0, "a");
        append(1, 1, "b");
        commit(1);

        assertEquals(List.of("a"), values(log.read(0, Isolation.COMMITTED, 1 << 20)));
        assertEquals(List.of(), values(log.read(1, Isolation.COMMITTED, 1 << 20)));
        assertEquals(List.of(), values(log.read(2, Isolation.COMMITTED, 1 << 20)));
    }

    @Test
    void shouldRefuseReadsOutsideTheLog() {
        append(1, 0, "a");

        assertThrows(OffsetOutOfRangeException.class, () -> read(2));
    }

    @Test
    void shouldRefuseAnEmptyAppend() {
        assertThrows(
                IllegalArgumentException.class, () -> log.appendAsLeader(MemoryRecords.EMPTY, 1));
    }

    @Test
    void shouldRefuseAppendsThatLeaveAGap() {
        append(1, 0, "a");

        assertThrows(RuntimeException.class, () -> append(1, 5, "b"));
        assertEquals(1, log.endOffset().offset());
    }

    @Test
    void shouldLeaveOutTheTornBatchAtTheEndOfAFetch() {
        ByteBuffer whole = batch(3, 0, "a", "b").buffer();
        ByteBuffer next = batch(3, 2, "c").buffer();
        ByteBuffer fetched = ByteBuffer.allocate(whole.remaining() + next.remaining() - 1);
        fetched.put(whole).put(next.limit(next.limit() - 1)).flip();

        LogAppendInfo appended = log.appendAsFollower(MemoryRecords.readableRecords(fetched), 3);

        assertEquals(new LogAppendInfo(0, 1), appended);
        assertEquals(3, log.lastFetchedEpoch());
        assertEquals(List.of("a", "b"), values(read(0)));
    }

    @Test
    void shouldKnowWhereEpochsEnd() {
        append(1, 0, "a", "b");
        append(4, 2, "c");

        assertEquals(new OffsetAndEpoch(2, 1), log.endOffsetForEpoch(1));
        assertEquals(new OffsetAndEpoch(2, 1), log.endOffsetForEpoch(3));
        assertEquals(new OffsetAndEpoch(3, 4), log.endOffsetForEpoch(4));
        assertEquals(new OffsetAndEpoch(3, 4), log.endOffsetForEpoch(9));
        assertEquals(ValidOffsetAndEpoch.Kind.DIVERGING, log.validateOffsetAndEpoch(3, 1).kind());
        assertEquals(ValidOffsetAndEpoch.Kind.VALID, log.validateOffsetAndEpoch(2, 1).kind());
    }

    @Test
    void shouldBeginALeadersEpochAtTheEnd() {
        append(1, 0, "a");
        log.initializeLeaderEpoch(7);

        assertEquals(7, log.lastFetchedEpoch());
        assertEquals(new OffsetAndEpoch(1, 1), log.endOffsetForEpoch(5));
    }

    @Test
    void shouldTruncateOnlyWhatIsNotCommitted() {
        append(1, 0, "a");
        append(2, 1, "b");
        append(3, 2, "c");
        commit(1);

        log.truncateTo(2);
        assertEquals(2, log.endOffset().offset());
        assertEquals(2, log.lastFetchedEpoch());
        assertThrows(IllegalArgumentException.class, () -> log.truncateTo(0));
        append(5, 2, "d");
        assertEquals(List.of("a", "b", "d"), values(read(0)));
    }

    @Test
    void shouldFindEverythingAgainAfterACrash() {
        append(1, 0, "a", "b");
        append(2, 2, "c");
        log.flush(false);

        log = open(); // the first one was never closed

        assertEquals(3, log.endOffset().offset());
        assertEquals(2, log.lastFetchedEpoch());
        assertEquals(List.of("a", "b", "c"), values(read(0)));
    }

    @Test
    void shouldCutATornAppendAfterACrash() {
        append(1, 0, "a", "b");
        log.flush(false);
        try (StoreFile segment = files.open(folder.resolve(SEGMENT), FileSystem.Mode.WRITE)) {
            ByteBuffer torn = batch(1, 2, "c").buffer();
            segment.write(torn.limit(torn.limit() - 3), segment.size());
        }

        log = open();

        assertEquals(2, log.endOffset().offset());
        append(2, 2, "d");
        assertEquals(List.of("a", "b", "d"), values(read(0)));
    }

    @Test
    void shouldFindEverythingAgainAfterACleanStop() {
        append(1, 0, "a");
        snapshotOfAll();
        append(1, 1, "b");
        log.close();

        log = open();

        assertEquals(List.of("a", "b"), values(read(0)));
        assertEquals(Optional.of(new OffsetAndEpoch(1, 1)), log.latestSnapshotId());
    }

    @Test
    void shouldKeepASnapshotOnlyOnceItIsFrozen() {
        append(1, 0, "a");
        commit(1);
        OffsetAndEpoch id = new OffsetAndEpoch(1, 1);

        try (RawSnapshotWriter writer = log.createNewSnapshot(id).orElseThrow()) {
            assertEquals(Optional.empty(), log.latestSnapshotId());
            writer.append(batch(1, 0, "state"));
            writer.freeze();
        }

        assertEquals(Optional.of(id), log.latestSnapshotId());
        assertTrue(log.latestSnapshot().orElseThrow().sizeInBytes() > 0);
        assertEquals(Optional.empty(), log.createNewSnapshot(id));
        assertTrue(files.exists(folder.resolve("00000000000000000001-0000000001.checkpoint")));
    }

    @Test
    void shouldRefuseSnapshotsThatTheLogDoesNotBear() {
        append(1, 0, "a", "b");
        append(1, 2, "c");
        commit(2);

        assertThrows(
                IllegalArgumentException.class,
                () -> log.createNewSnapshot(new OffsetAndEpoch(3, 1)),
                "beyond what is committed");
        assertThrows(
                IllegalArgumentException.class,
                () -> log.createNewSnapshot(new OffsetAndEpoch(1, 1)),
                "inside a batch");
        assertThrows(
                IllegalArgumentException.class,
                () -> log.createNewSnapshot(new OffsetAndEpoch(2, 4)),
                "of an epoch that never was");
    }

    @Test
    void shouldRemovePartialAndGivenUpSnapshotsAtStart() {
        append(1, 0, "a");
        log.close();
        Path partial = folder.resolve("00000000000000000001-0000000001-12.checkpoint.part");
        Path deleted = folder.resolve("00000000000000000001-0000000001.checkpoint.deleted");
        files.writeAtomically(partial, new byte[] {1});
        files.writeAtomically(deleted, new byte[] {1});

        log = open();

        assertEquals(Optional.empty(), log.latestSnapshotId());
        assertFalse(files.exists(partial));
        assertFalse(files.exists(deleted));
    }

    @Test
    void shouldBeginAnewAtASnapshotBeyondTheEnd() {
        append(1, 0, "a");
        OffsetAndEpoch fetched = fetchSnapshot(10, 3);

        assertTrue(log.truncateToLatestSnapshot());
        assertEquals(10, log.startOffset());
        assertEquals(10, log.endOffset().offset());
        assertEquals(3, log.lastFetchedEpoch());
        assertEquals(fetched, log.endOffsetForEpoch(3));
        append(3, 10, "b");
        assertEquals(List.of("b"), values(read(10)));
    }

    @Test
    void shouldFinishAtStartWhatASnapshotCallsFor() {
        append(1, 0, "a");
        OffsetAndEpoch fetched = fetchSnapshot(10, 3);

        log = open();

        assertEquals(10, log.startOffset());
        assertEquals(Optional.of(fetched), log.latestSnapshotId());
    }

    @Test
    void shouldRefuseToStartWithoutTheSnapshotItBeginsAt() {
        append(1, 0, "a");
        fetchSnapshot(10, 3);
        log.truncateToLatestSnapshot();
        log.close();
        files.delete(folder.resolve("00000000000000000010-0000000003.checkpoint"));

        IllegalStateException refusal = assertThrows(IllegalStateException.class, this::open);

        assertTrue(refusal.getMessage().contains(folder.toString()), refusal.getMessage());
    }

    @Test
    void shouldRetireOldSnapshotsAndTheLogBeforeTheNext() {
        snapshotThreeSegments();

        assertTrue(log.maybeClean());

        assertEquals(3, log.startOffset());
        assertEquals(Optional.of(new OffsetAndEpoch(3, 1)), log.earliestSnapshotId());
        assertFalse(log.maybeClean());
        assertThrows(OffsetOutOfRangeException.class, () -> read(0));
        Path retired = folder.resolve("00000000000000000001-0000000001.checkpoint.deleted");
        assertTrue(files.exists(retired));
        scheduler.runAll();
        assertFalse(files.exists(retired));
    }

    @Test
    void shouldRemoveTheFilesOfRetiredSegmentsAfterAWhile() {
        snapshotThreeSegments();
        assertTrue(log.maybeClean());
        Path retired = folder.resolve("00000000000000000000.log.deleted");
        assertTrue(files.exists(retired));

        clock.advanceMs(59_999);
        log.maybeClean();
        assertTrue(files.exists(retired));
        clock.advanceMs(1);
        log.maybeClean();
        assertFalse(files.exists(retired));
        append(1, 3, "more");
    }

    /** A segment and a snapshot for each record, of which cleaning keeps the last. */
    private void snapshotThreeSegments() {
        limits = new MetadataLogLimits(300, Long.MAX_VALUE, 0, -1, 8 << 20, 60_000);
        log.close();
        log = open();
        for (int i = 0; i < 3; i++) {
            append(1, i, "x".repeat(250));
            snapshotOfAll();
        }
    }

    @Test
    void shouldRetireSnapshotsByAge() {
        limits = new MetadataLogLimits(1 << 20, Long.MAX_VALUE, -1, 1_000, 8 << 20, 60_000);
        log.close();
        log = open();
        append(1, 0, "a");
        snapshotOfAll();
        append(1, 1, "b");
        snapshotOfAll();

        assertFalse(log.maybeClean());
        clock.advanceMs(1_001);
        assertTrue(log.maybeClean());

        assertEquals(2, log.startOffset());
        assertEquals(Optional.of(new OffsetAndEpoch(2, 1)), log.earliestSnapshotId());
    }

    @Test
    void shouldDeleteBeforeASnapshotOnlyIfItKnowsOne() {
        append(1, 0, "a");
        snapshotOfAll();

        assertFalse(log.deleteBeforeSnapshot(new OffsetAndEpoch(9, 9)));
        log.deleteBeforeSnapshot(new OffsetAndEpoch(1, 1));
        assertEquals(1, log.startOffset());
    }

    private OxbowRaftLog open() {
        return OxbowRaftLog.open(
                directory, limits, new RaftSurroundings(files, clock, scheduler, inline));
    }

    private LogAppendInfo append(int epoch, long offset, String... values) {
        return log.appendAsLeader(batch(epoch, offset, values), epoch);
    }

    private void commit(long offset) {
        log.updateHighWatermark(new LogOffsetMetadata(offset));
    }

    private void snapshotOfAll() {
        long end = log.endOffset().offset();
        commit(end);
        OffsetAndEpoch id = new OffsetAndEpoch(end, log.lastFetchedEpoch());
        try (RawSnapshotWriter writer = log.createNewSnapshot(id).orElseThrow()) {
            writer.append(SnapshotBytes.header(clock.wallMs()));
            writer.freeze();
        }
    }

    private OffsetAndEpoch fetchSnapshot(long offset, int epoch) {
        OffsetAndEpoch id = new OffsetAndEpoch(offset, epoch);
        try (RawSnapshotWriter writer = log.createNewSnapshotUnchecked(id).orElseThrow()) {
            writer.append(batch(epoch, 0, "state"));
            writer.freeze();
        }
        return id;
    }

    private LogFetchInfo read(long offset) {
        return log.read(offset, Isolation.UNCOMMITTED, 1 << 20);
    }

    private MemoryRecords batch(int epoch, long offset, String... values) {
        SimpleRecord[] records = new SimpleRecord[values.length];
        for (int i = 0; i < values.length; i++) {
            records[i] =
                    new SimpleRecord(clock.wallMs(), values[i].getBytes(StandardCharsets.UTF_8));
        }
        return MemoryRecords.withRecords(offset, Compression.NONE, epoch, records);
    }

    private static List<String> values(LogFetchInfo fetched) {
        List<String> values = new ArrayList<>();
        for (Record record : records(fetched)) {
            values.add(StandardCharsets.UTF_8.decode(record.value()).toString());
        }
        return values;
    }

    private static List<Record> records(LogFetchInfo fetched) {
        return StreamSupport.stream(fetched.records.records().spliterator(), false).toList();
    }

    /** Runs tasks where they are started. */
    private static final class InlineThreads implements Threads {
        @Override
        public Thread start(String name, Runnable body) {
            throw new UnsupportedOperationException("a log starts no thread");
        }

        @Override
        public Thread startTask(String name, Runnable body) {
            body.run();
            return Thread.currentThread();
        }
    }
}
