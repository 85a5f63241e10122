// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.lane;

import static io.oxbow.storage.lane.PoolFixture.TOPIC_ID;
import static io.oxbow.storage.lane.PoolFixture.UNASSIGNED;
import static io.oxbow.storage.lane.PoolFixture.await;
import static io.oxbow.storage.lane.PoolFixture.partition;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.oxbow.base.error.ClientException;
import io.oxbow.base.error.CorruptException;
import io.oxbow.base.error.DiskException;
import io.oxbow.base.error.DiskException.Kind;
import io.oxbow.base.error.RetriableException;
import io.oxbow.base.file.NativeFileSystem;
import io.oxbow.storage.dir.CleanShutdownFormat;
import io.oxbow.storage.dir.MetaProperties;
import io.oxbow.storage.dir.MetaPropertiesFormat;
import io.oxbow.storage.dir.OffsetCheckpoint;
import io.oxbow.storage.doubles.FaultyFileSystem;
import io.oxbow.storage.doubles.FaultyFileSystem.Operation;
import io.oxbow.storage.log.AppendOutcome.Appended;
import io.oxbow.storage.log.LogSettings;
import io.oxbow.storage.log.LogView;
import io.oxbow.storage.log.SettingsBuilder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogPoolTest {
    private static final NativeFileSystem DISK = NativeFileSystem.INSTANCE;

    @TempDir Path root;
    private PoolFixture fixture;

    @BeforeEach
    void setUp() {
        fixture = new PoolFixture(root, 3);
    }

    @AfterEach
    void tearDown() {
        fixture.close();
    }

    // ---- start and identity ----

    @Test
    void shouldWriteTheIdsOfAllDirectoriesIntoEach() {
        fixture.open();
        List<Uuid> ids = List.of(fixture.id(0), fixture.id(1), fixture.id(2));
        assertEquals(ids, fixture.pool.onlineDirectories());
        for (Path each : fixture.directories) assertEquals(ids, meta(each).directoryIds());
        assertEquals("cluster", fixture.pool.clusterId());
    }

    @Test
    void shouldServeOnTheRestWhenADirectoryCannotBeUsed() {
        // Case U06.
        fixture.open();
        Uuid lost = fixture.id(1);
        fixture.pool.close();
        fixture.files.fail(Kind.DENIED, fixture.directories.get(1), Set.of(Operation.values()));
        fixture.open();
        assertEquals(List.of(fixture.id(0), fixture.id(2)), fixture.pool.onlineDirectories());
        assertEquals(Set.of(lost), fixture.pool.offlineDirectories());
        assertEquals(DirectoryStatus.State.OFFLINE, fixture.status(1).state());
        assertTrue(fixture.status(1).reason().contains("d1"), fixture.status(1).reason());
        assertInstanceOf(Appended.class, fixture.append(fixture.log(0), "v"));
    }

    @Test
    void shouldTakeADirectoryThatMayNotBeWrittenForOffline() {
        fixture.files.fail(Kind.DENIED, fixture.directories.get(2), FaultyFileSystem.CHANGES);
        fixture.open();
        assertEquals(DirectoryStatus.State.OFFLINE, fixture.status(2).state());
    }

    @Test
    void shouldFormatABlankReplacementButNeverTheMetadataDirectory() {
        // Case U07.
        fixture.open();
        Uuid before = fixture.id(1);
        fixture.pool.close();
        empty(fixture.directories.get(1));
        fixture.open();
        assertNotEquals(before, fixture.id(1));
        assertEquals(3, fixture.pool.onlineDirectories().size());
        fixture.pool.close();
        empty(fixture.directories.get(0));
        CorruptException refused = assertThrows(CorruptException.class, fixture::open);
        assertTrue(refused.getMessage().contains("d0"), refused.getMessage());
        assertTrue(DISK.list(fixture.directories.get(0)).size() <= 1);
        fixture.pool = null;
    }

    @Test
    void shouldLeaveADirectoryOfAnotherKindUnharmed() {
        Path foreign = fixture.directories.get(1);
        empty(foreign);
        DISK.writeAtomically(foreign.resolve("holiday.jpg"), new byte[10]);
        fixture.open();
        assertEquals(DirectoryStatus.State.OFFLINE, fixture.status(1).state());
        assertTrue(fixture.status(1).reason().contains("holiday.jpg"));
        assertEquals(List.of(foreign.resolve("holiday.jpg")), DISK.list(foreign));
    }

    @Test
    void shouldRefuseADirectoryThatAnotherProcessUses() {
        fixture.open();
        LogPool first = fixture.pool;
        RetriableException refused = assertThrows(RetriableException.class, fixture::open);
        assertTrue(refused.getMessage().contains("d0"), refused.getMessage());
        assertEquals(3, first.onlineDirectories().size());
    }

    @Test
    void shouldRefuseToStartWithoutAnyDirectoryAndSayWhyForEach() {
        fixture.metadataDirectory = root.resolve("meta");
        DISK.createDirectories(fixture.metadataDirectory);
        DISK.writeAtomically(
                fixture.metadataDirectory.resolve(MetaProperties.FILE_NAME),
                MetaPropertiesFormat.render(MetaProperties.fresh("cluster", 1, Uuid.randomUuid())));
        for (Path each : fixture.directories) fixture.files.kill(each);
        DiskException refused = assertThrows(DiskException.class, fixture::open);
        for (Path each : fixture.directories) {
            assertTrue(refused.getMessage().contains(each.toString()), refused.getMessage());
        }
        // Nothing is left locked.
        DISK.lock(fixture.metadataDirectory).close();
    }

    @Test
    void shouldRefuseADirectoryOfAnotherNode() {
        DISK.writeAtomically(
                fixture.directories.get(1).resolve(MetaProperties.FILE_NAME),
                MetaPropertiesFormat.render(MetaProperties.fresh("cluster", 9, Uuid.randomUuid())));
        CorruptException refused = assertThrows(CorruptException.class, fixture::open);
        assertTrue(refused.getMessage().contains("d1"), refused.getMessage());
    }

    // ---- restart ----

    @Test
    void shouldServeAfterACleanRestartWhatItServedBefore() {
        HostedLog log = fixture.open().log(0);
        fixture.append(log, "a", "b");
        fixture.append(log, "c");
        await(log.deleteRecordsBefore(1));
        LogView before = log.view();
        fixture.pool.noteBrokerEpoch(42);
        fixture.pool.close();
        for (Path each : fixture.directories) {
            assertTrue(DISK.exists(each.resolve(CleanShutdownFormat.FILE_NAME)), each.toString());
        }
        fixture.open();
        HostedLog again = await(fixture.obtain(0, UNASSIGNED));
        assertEquals(TOPIC_ID, again.topicId());
        assertEquals(before.logStartOffset(), again.view().logStartOffset());
        assertEquals(before.highWatermark(), again.view().highWatermark());
        assertEquals(before.endOffset(), again.view().endOffset());
        assertEquals(List.of("b", "c"), fixture.read(again));
        assertEquals(42, fixture.pool.previousBrokerEpoch());
        for (Path each : fixture.directories) {
            assertFalse(DISK.exists(each.resolve(CleanShutdownFormat.FILE_NAME)));
        }
    }

    @Test
    void shouldStillKnowTheLastCleanStopAfterAStartThatDidNotRegister() {
        fixture.open().log(0);
        fixture.pool.noteBrokerEpoch(42);
        fixture.pool.close();
        await(fixture.open().obtain(0, UNASSIGNED));
        fixture.pool.close();
        fixture.open();
        assertEquals(42, fixture.pool.previousBrokerEpoch());
    }

    @Test
    void shouldSayOfEachDirectoryWhyNoneCanBeUsed() {
        for (Path each : fixture.directories.subList(1, 3)) {
            fixture.files.fail(Kind.DENIED, each, Set.of(Operation.values()));
        }
        fixture.directories.removeFirst();
        DiskException refused = assertThrows(DiskException.class, fixture::open);
        assertTrue(refused.getMessage().startsWith("no log directory can be"), refused.toString());
        assertTrue(refused.getMessage().contains("d1: "), refused.getMessage());
        assertTrue(refused.getMessage().contains("d2: "), refused.getMessage());
        assertFalse(refused.getMessage().contains("null"), refused.getMessage());
    }

    @Test
    void shouldStartWithDamagedCheckpointsAndRebuildThem() {
        // Case U35.
        HostedLog log = fixture.open().log(0);
        fixture.append(log, "a", "b");
        Path home = log.lane().directory();
        fixture.pool.abandon();
        DISK.writeAtomically(home.resolve(OffsetCheckpoint.RECOVERY_POINT), new byte[0]);
        DISK.writeAtomically(home.resolve(OffsetCheckpoint.HIGH_WATERMARK), new byte[] {1, 2, 3});
        DISK.writeAtomically(home.resolve(OffsetCheckpoint.LOG_START), new byte[] {48, 10, 48});
        DISK.writeAtomically(home.resolve("t-0/leader-epoch-checkpoint"), new byte[7]);
        fixture.open();
        assertEquals(List.of("a", "b"), fixture.read(fixture.log(0)));
        fixture.pass(PoolFixture.CHECKPOINT_MS);
        assertEquals(2L, checkpoint(home, OffsetCheckpoint.HIGH_WATERMARK).get(partition(0)));
    }

    @Test
    void shouldLeaveTheMetadataLogAlone() {
        Path folder = fixture.directories.get(0).resolve("__cluster_metadata-0");
        DISK.createDirectories(folder);
        DISK.writeAtomically(folder.resolve("00000000000000000000.log"), new byte[] {1, 2, 3});
        fixture.open();
        fixture.pool.setAsideStrays((id, partition) -> false);
        fixture.settle();
        assertTrue(fixture.pool.find(new TopicPartition("__cluster_metadata", 0)).isEmpty());
        assertEquals(1, DISK.list(folder).size());
        assertEquals(0, fixture.status(0).logs());
    }

    @Test
    void shouldMakeTheDeletionOfRecordsDurableBeforeItAnswers() {
        HostedLog log = fixture.open().log(0);
        fixture.append(log, "a", "b", "c");
        assertEquals(2L, await(log.deleteRecordsBefore(2)));
        fixture.crash();
        assertEquals(List.of("c"), fixture.read(fixture.log(0)));
    }

    @Test
    void shouldRefuseToDeleteRecordsBeyondTheHighWatermark() {
        HostedLog log = fixture.open().log(0);
        fixture.append(log, "a");
        assertThrows(ClientException.class, () -> await(log.deleteRecordsBefore(2)));
        assertEquals(1L, await(log.deleteRecordsBefore(-1)));
    }

    // ---- where a log is ----

    @Test
    void neverMakesALogElsewhereWhenItsDirectoryIsMissing() {
        // Case U01.
        HostedLog log = fixture.open().log(0, fixture.id(2));
        fixture.append(log, "precious");
        Uuid gone = fixture.id(2);
        fixture.pool.close();
        fixture.directories.remove(2);
        fixture.open();
        DiskException refused =
                assertThrows(DiskException.class, () -> await(fixture.obtain(0, gone)));
        assertTrue(refused.getMessage().contains("t-0"), refused.getMessage());
        assertTrue(refused.getMessage().contains(gone.toString()), refused.getMessage());
        assertFalse(exists(0, "t-0") || exists(1, "t-0"));
    }

    @Test
    void neverMakesAnUnassignedOldLogWhileADirectoryThatMayHoldItIsOffline() {
        fixture.files.kill(fixture.directories.get(2));
        fixture.open();
        assertThrows(
                DiskException.class,
                () ->
                        await(
                                fixture.pool.obtain(
                                        partition(0),
                                        TOPIC_ID,
                                        UNASSIGNED,
                                        fixture.settings,
                                        false)));
        // A new one may be made on the rest.
        assertInstanceOf(Appended.class, fixture.append(fixture.log(0), "v"));
    }

    @Test
    void shouldMakeALogWhereTheMetadataSays() {
        fixture.open();
        assertEquals(fixture.id(1), fixture.log(5, fixture.id(1)).directoryId());
        assertTrue(exists(1, "t-5"));
    }

    @Test
    void shouldFindALogWhereItIsEvenIfTheMetadataNamesAnother() {
        HostedLog log = fixture.open().log(0, fixture.id(1));
        fixture.append(log, "a");
        fixture.restart();
        HostedLog found = await(fixture.obtain(0, fixture.id(2)));
        assertEquals(fixture.id(1), found.directoryId());
        assertEquals(List.of("a"), fixture.read(found));
    }

    @Test
    void shouldPlaceNothingOnACordonedDirectoryButServeWhatIsThere() {
        // Case U02.
        HostedLog old = fixture.open().log(99, fixture.id(0));
        fixture.pool.cordon(Set.of(fixture.directories.get(0)));
        int[] counts = new int[3];
        for (int i = 0; i < 30; i++) {
            counts[fixture.pool.onlineDirectories().indexOf(fixture.log(i).directoryId())]++;
        }
        assertEquals(0, counts[0]);
        assertEquals(15, counts[1]);
        assertEquals(15, counts[2]);
        assertEquals(DirectoryStatus.State.CORDONED, fixture.status(0).state());
        assertInstanceOf(Appended.class, fixture.append(old, "v"));
    }

    @Test
    void shouldSetAsideALogOfAnotherTopicId() {
        // Case U36: deleted and made again while the broker was down.
        HostedLog old = fixture.open().log(0);
        fixture.append(old, "old");
        fixture.restart();
        HostedLog made =
                await(
                        fixture.pool.obtain(
                                partition(0), new Uuid(8, 8), UNASSIGNED, fixture.settings));
        assertEquals(new Uuid(8, 8), made.topicId());
        assertEquals(0, made.view().endOffset());
        assertEquals(1, named("-stray").size());
        assertFalse(DISK.list(named("-stray").getFirst()).isEmpty());
    }

    @Test
    void shouldSetAsideWhatTheMetadataDoesNotKnow() {
        fixture.open();
        fixture.append(fixture.log(0), "known");
        fixture.append(fixture.log(1), "stray");
        fixture.restart();
        fixture.pool.setAsideStrays((id, partition) -> partition.partition() == 0);
        assertEquals(List.of("known"), fixture.read(await(fixture.obtain(0, UNASSIGNED))));
        HostedLog remade = await(fixture.obtain(1, UNASSIGNED));
        assertEquals(0, remade.view().endOffset());
        assertEquals(1, named("-stray").size());
    }

    @Test
    void shouldKeepALogWhoseTopicIdIsDamagedAndWriteItAgain() {
        HostedLog log = fixture.open().log(0, fixture.id(0));
        fixture.append(log, "a");
        fixture.pool.close();
        Path file = fixture.directories.get(0).resolve("t-0/partition.metadata");
        byte[] before = DISK.readAll(file);
        DISK.writeAtomically(file, new byte[0]);
        fixture.open();
        fixture.pool.setAsideStrays((id, partition) -> id.equals(TOPIC_ID));
        HostedLog again = leading(await(fixture.obtain(0, UNASSIGNED)));
        assertEquals(List.of("a"), fixture.read(again));
        assertEquals(TOPIC_ID, again.topicId());
        assertArrayEquals(before, DISK.readAll(file));
    }

    // ---- deletion ----

    @Test
    void shouldRenameADeletedLogAtOnceAndRemoveItsFilesLater() {
        HostedLog log = fixture.open().log(0);
        fixture.append(log, "a");
        await(fixture.pool.delete(partition(0)));
        assertTrue(fixture.pool.find(partition(0)).isEmpty());
        assertTrue(log.unavailableBecause().contains("deleted"), log.unavailableBecause());
        assertEquals(1, named("-delete").size());
        fixture.pass(59_000);
        assertEquals(1, named("-delete").size());
        fixture.pass(3_000);
        assertEquals(0, named("-delete").size());
    }

    @Test
    void shouldRemoveWhatAnEarlierRunDeleted() {
        HostedLog log = fixture.open().log(0);
        fixture.append(log, "a");
        await(fixture.pool.delete(partition(0)));
        fixture.crash();
        fixture.pass(2_000);
        assertEquals(0, named("-delete").size());
        assertEquals(0, fixture.log(0).view().endOffset());
    }

    @Test
    void neverTakesTheOffsetsOfADeletedLogForThoseOfItsSuccessor() {
        HostedLog log = fixture.open().log(0, fixture.id(0));
        for (int i = 0; i < 100; i++) fixture.append(log, "old" + i);
        await(log.deleteRecordsBefore(50));
        fixture.pass(PoolFixture.CHECKPOINT_MS);
        await(fixture.pool.delete(partition(0)));
        fixture.append(fixture.log(0, fixture.id(0)), "new");
        for (String name :
                List.of(
                        OffsetCheckpoint.RECOVERY_POINT,
                        OffsetCheckpoint.LOG_START,
                        OffsetCheckpoint.HIGH_WATERMARK)) {
            assertEquals(null, checkpoint(fixture.directories.get(0), name).get(partition(0)));
        }
        fixture.crash();
        assertEquals(List.of("new"), fixture.read(fixture.log(0)));
    }

    @Test
    void neverTakesForDurableWhatIsWrittenWhereSomethingDurableWasCut() {
        fixture.settings = new SettingsBuilder().flushMessages(1).build();
        HostedLog log = fixture.open().log(0, fixture.id(0));
        for (int i = 0; i < 4; i++) fixture.append(log, "v" + i);
        fixture.pass(PoolFixture.CHECKPOINT_MS);
        Path home = fixture.directories.get(0);
        assertEquals(4L, checkpoint(home, OffsetCheckpoint.RECOVERY_POINT).get(partition(0)));
        await(log.truncateTo(1));
        assertEquals(1L, checkpoint(home, OffsetCheckpoint.RECOVERY_POINT).get(partition(0)));
    }

    @Test
    void shouldMakeAndDeleteAndMakeAgainWhateverTheOrder() {
        // Case U13.
        fixture.settings = new SettingsBuilder().segmentBytes(1024).flushMessages(1).build();
        fixture.open();
        for (int round = 0; round < 20; round++) {
            HostedLog log = fixture.log(0, fixture.id(round % 3));
            for (int i = 0; i < 20; i++) fixture.append(log, "x".repeat(200));
            CompletableFuture<Void> deleted = fixture.pool.delete(partition(0));
            CompletableFuture<HostedLog> again = fixture.obtain(0, fixture.id(round % 3));
            await(deleted);
            assertEquals(0, await(again).view().endOffset());
            await(fixture.pool.delete(partition(0)));
        }
        assertEquals(0, fixture.pool.offlineDirectories().size());
        assertTrue(fixture.listener.events.isEmpty(), fixture.listener.events.toString());
        assertTrue(fixture.pool.logs().isEmpty());
    }

    @Test
    void shouldDeleteALogWithTheLongestName() {
        // Case U25's kind.
        fixture.open();
        TopicPartition longest = new TopicPartition("t".repeat(249), 0);
        await(fixture.pool.obtain(longest, TOPIC_ID, UNASSIGNED, fixture.settings));
        await(fixture.pool.delete(longest));
        assertEquals(1, named("-delete").size());
        fixture.pass(62_000);
        assertEquals(0, named("-delete").size());
    }

    // ---- scale ----

    @Test
    void shouldOpenManyCleanLogsWithoutReadingThem() {
        LogSettings small = new SettingsBuilder().segmentBytes(1 << 20).build();
        fixture.settings = small;
        fixture.open();
        int count = 100;
        List<CompletableFuture<HostedLog>> made = new ArrayList<>();
        for (int i = 0; i < count; i++) made.add(fixture.obtain(i, UNASSIGNED));
        made.forEach(each -> await(each));
        IntStream.range(0, count).forEach(i -> fixture.append(fixture.log(i), "v" + i));
        fixture.pool.close();
        int reads = fixture.files.count(Operation.READ);
        fixture.open();
        for (int i = 0; i < count; i++) await(fixture.obtain(i, UNASSIGNED));
        // Epochs, topic id and a snapshot for each log; no segment, no index.
        int perLog = (fixture.files.count(Operation.READ) - reads) / count;
        assertTrue(perLog <= 3, "reads for each log: " + perLog);
        assertEquals(0, fixture.status(0).logsToRecover());
    }

    private static HostedLog leading(HostedLog log) {
        await(log.lead(1, true));
        return log;
    }

    /** {@code t-0} with "a" in d0 and with "a", "b" in d1; returns the first folder. */
    private List<Path> named(String suffix) {
        return fixture.directories.stream()
                .flatMap(each -> DISK.list(each).stream())
                .filter(each -> each.toString().endsWith(suffix))
                .toList();
    }

    private boolean exists(int directory, String name) {
        return DISK.exists(fixture.directories.get(directory).resolve(name));
    }

    private static java.util.Map<TopicPartition, Long> checkpoint(Path directory, String name) {
        return new OffsetCheckpoint(DISK, directory, name).read();
    }

    private static MetaProperties meta(Path directory) {
        Path file = directory.resolve(MetaProperties.FILE_NAME);
        return MetaPropertiesFormat.parse(DISK.readAll(file), file);
    }

    private static void empty(Path directory) {
        DISK.deleteTree(directory);
        DISK.createDirectories(directory);
    }
}
