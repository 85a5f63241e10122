// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.oxbow.storage.doubles.FaultyFileSystem;
import io.oxbow.storage.doubles.FaultyFileSystem.Operation;
import io.oxbow.storage.doubles.OpenDescriptors;
import io.oxbow.storage.log.ReadRequest.Isolation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PartitionLogTest {
    @TempDir Path parent;
    private LogFixture fixture;

    @BeforeEach
    void openNew() {
        fixture = new LogFixture(parent);
        fixture.open(0, true);
    }

    @Test
    void shouldReadBackWhatWasAppended() {
        AppendOutcome first = fixture.append("a", "b");
        AppendOutcome second = fixture.append("c");
        assertEquals(new AppendOutcome.Appended(0, 1, -1, 0), first);
        assertEquals(new AppendOutcome.Appended(2, 2, -1, 0), second);
        assertEquals(List.of("0:a", "1:b", "2:c"), fixture.readAll(0));
        assertEquals(List.of("1:b", "2:c"), fixture.readAll(1));
    }

    /** Thousands of partitions that are read after a start must not cost three descriptors each. */
    @Test
    void shouldKeepOnlyTheBatchesOpenOfALogThatIsRead() throws IOException {
        fixture.append("a", "b");
        fixture.log.close();
        Set<String> opened = new HashSet<>();
        FaultyFileSystem watched = new FaultyFileSystem(fixture.files);
        watched.add(
                (what, path) -> what == Operation.OPEN && opened.add(path.getFileName().toString()),
                () -> {});
        fixture.files = watched;
        fixture.open(2, true);
        opened.clear();
        for (int i = 0; i < 3; i++) {
            assertEquals(List.of("0:a", "1:b"), fixture.readAll(0));
            opened.remove("00000000000000000000.log");
            if (i == 0) opened.clear(); // the indexes are read once
        }
        assertEquals(Set.of(), opened);
        assertEquals(Set.of("00000000000000000000.log"), Set.copyOf(OpenDescriptors.under(parent)));
        fixture.log.close();
    }

    @Test
    void shouldSyncSmallFilesWithTheFirstFlushThatNeedsThem() {
        fixture.log.close();
        FaultyFileSystem watched = new FaultyFileSystem(fixture.files);
        List<String> synced = new ArrayList<>();
        watched.add(
                (what, path) -> what == Operation.SYNC && synced.add(path.getFileName().toString()),
                () -> {});
        LogFixture other = new LogFixture(parent.resolve("other"));
        other.files = watched;
        other.open(0, true);
        other.log.assignTopicId(Uuid.randomUuid());
        other.append("a");
        assertEquals(List.of(), synced);
        other.log.flush();
        assertTrue(
                synced.containsAll(
                        List.of(
                                "partition.metadata",
                                "leader-epoch-checkpoint",
                                "00000000000000000000.log",
                                "topic-0")),
                synced.toString());
        synced.clear();
        other.append("b");
        other.log.flush();
        assertFalse(synced.contains("partition.metadata"), synced.toString());
        assertFalse(synced.contains("topic-0"), synced.toString());
        other.log.close();
    }

    @Test
    void shouldFindTheEpochsOfBatchesThatWereNotFlushedInTheBatches() {
        fixture.append("a");
        fixture.log.flush();
        Path file = fixture.folder.resolve("leader-epoch-checkpoint");
        byte[] durable = fixture.files.readAll(file);
        fixture.log.stage(
                TestBatches.checked(TestBatches.plain(fixture.clock.wallMs(), "b")),
                AppendOrigin.CLIENT,
                7);
        fixture.log.writeStaged();
        fixture.log.abandon();
        // As a crash of the machine may leave it.
        fixture.files.writeAtomically(file, durable);
        fixture.open(1, false);
        assertEquals(7, fixture.log.latestEpoch());
        assertEquals(0, fixture.log.epochForOffset(0));
        assertEquals(7, fixture.log.epochForOffset(1));
    }

    @Test
    void shouldMakeNamesDurableWithAFlushThatOvertakesAnother() {
        FaultyFileSystem watched = new FaultyFileSystem(fixture.files);
        AtomicInteger folderSyncs = new AtomicInteger();
        watched.add(
                (what, path) -> what == Operation.SYNC && path.equals(fixture.folder),
                folderSyncs::incrementAndGet);
        fixture.log.close();
        fixture.files = watched;
        fixture.open(0, true);
        fixture.append("a");
        FlushPlan slow = fixture.log.beginFlush();
        fixture.append("b");
        fixture.log.flush();
        assertEquals(1, folderSyncs.get());
        slow.sync();
        fixture.log.finishFlush(slow);
        assertEquals(2, folderSyncs.get());
        fixture.append("c");
        fixture.log.flush();
        assertEquals(2, folderSyncs.get(), "no new names");
    }

    @Test
    void shouldWriteSeveralStagedAppendsTogether() {
        for (String value : List.of("a", "b", "c")) {
            fixture.log.stage(
                    TestBatches.checked(TestBatches.plain(1, value)), AppendOrigin.CLIENT, 0);
        }
        assertEquals(0, fixture.log.view().endOffset());
        fixture.log.writeStaged();
        fixture.log.raiseHighWatermark(3);
        assertEquals(List.of("0:a", "1:b", "2:c"), fixture.readAll(0));
    }

    @Test
    void shouldRollWhenTheSegmentIsFull() {
        fixture.settings = LogFixture.small(300);
        fixture.log.reconfigure(fixture.settings);
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            fixture.append("value" + i);
            expected.add(i + ":value" + i);
        }
        assertTrue(fixture.log.segments().size() > 10);
        assertEquals(expected, fixture.readAll(0));
        assertEquals(expected.subList(17, 50), fixture.readAll(17));
        assertEquals(expected.subList(17, 50), fixture.readAll(17, Isolation.HIGH_WATERMARK, 100));
        fixture.reopen();
        assertEquals(expected, fixture.readAll(0));
        assertEquals(new AppendOutcome.Appended(50, 50, -1, 0), fixture.append("more"));
        fixture.crash();
        assertEquals(51, fixture.readAll(0).size());
    }

    @Test
    void shouldGoOnAfterCleanClose() {
        fixture.append("a", "b");
        fixture.reopen();
        fixture.append("c");
        assertEquals(List.of("0:a", "1:b", "2:c"), fixture.readAll(0));
    }

    @Test
    void shouldGoOnAfterCrash() {
        fixture.append("a", "b");
        fixture.crash();
        fixture.append("c");
        assertEquals(List.of("0:a", "1:b", "2:c"), fixture.readAll(0));
    }

    @Test
    void shouldHideWhatIsAboveTheHighWatermark() {
        fixture.log.stage(
                TestBatches.checked(TestBatches.plain(1, "a", "b")), AppendOrigin.CLIENT, 0);
        fixture.log.stage(TestBatches.checked(TestBatches.plain(1, "c")), AppendOrigin.CLIENT, 0);
        fixture.log.writeStaged();
        assertEquals(List.of(), fixture.readAll(0));
        assertEquals(
                List.of("0:a", "1:b", "2:c"),
                fixture.readAll(0, Isolation.LOG_END, Integer.MAX_VALUE));
        fixture.log.raiseHighWatermark(2);
        assertEquals(List.of("0:a", "1:b"), fixture.readAll(0));
    }

    @Test
    void shouldRefuseOffsetsOutOfRange() {
        fixture.append("a");
        assertInstanceOf(ReadOutcome.OutOfRange.class, read(2));
        assertInstanceOf(ReadOutcome.OutOfRange.class, read(-1));
        assertNull(assertInstanceOf(ReadOutcome.Records.class, read(1)).slice());
    }

    @Test
    void shouldReadRecentRecordsWithoutBlocking() {
        fixture.append("a");
        ReadOutcome outcome =
                fixture.log.read(
                        new ReadRequest(0, 1000, true, Isolation.HIGH_WATERMARK), null, false);
        assertInstanceOf(ReadOutcome.Records.class, outcome);
    }

    @Test
    void shouldCutOffWhatIsTruncated() {
        fixture.settings = LogFixture.small(200);
        fixture.log.reconfigure(fixture.settings);
        for (int i = 0; i < 20; i++) fixture.append("v" + i);
        fixture.log.truncateTo(7);
        assertEquals(7, fixture.log.view().endOffset());
        assertEquals(7, fixture.readAll(0).size());
        fixture.append("new");
        assertEquals("7:new", fixture.readAll(7).getFirst());
        fixture.crash();
        assertEquals(8, fixture.readAll(0).size());
    }

    @Test
    void shouldStartOverAtAnOffset() {
        fixture.append("a");
        fixture.log.truncateFullyAndStartAt(100);
        assertEquals(100, fixture.log.view().logStartOffset());
        fixture.append("b");
        assertEquals(List.of("100:b"), fixture.readAll(100));
    }

    @Test
    void shouldDeleteSegmentsBelowTheLogStart() {
        fixture.settings = LogFixture.small(200);
        fixture.log.reconfigure(fixture.settings);
        for (int i = 0; i < 20; i++) fixture.append("v" + i);
        int before = fixture.log.segments().size();
        fixture.log.raiseLogStart(11);
        assertTrue(fixture.log.segments().size() < before);
        assertEquals(11, fixture.log.view().logStartOffset());
        assertInstanceOf(ReadOutcome.OutOfRange.class, read(10));
        assertEquals(9, fixture.readAll(11).size());
    }

    @Test
    void shouldKeepTheTopicId() {
        Uuid id = Uuid.randomUuid();
        assertNull(fixture.log.topicId());
        fixture.log.assignTopicId(id);
        fixture.reopen();
        assertEquals(id, fixture.log.topicId());
    }

    private ReadOutcome read(long offset) {
        return fixture.log.read(
                new ReadRequest(offset, 1000, true, Isolation.HIGH_WATERMARK), null, true);
    }
}
