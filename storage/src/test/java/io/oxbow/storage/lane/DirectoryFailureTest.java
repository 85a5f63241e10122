// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.lane;

import static io.oxbow.storage.lane.PoolFixture.UNASSIGNED;
import static io.oxbow.storage.lane.PoolFixture.await;
import static io.oxbow.storage.lane.PoolFixture.partition;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.oxbow.base.error.DiskException;
import io.oxbow.base.error.DiskException.Kind;
import io.oxbow.base.file.NativeFileSystem;
import io.oxbow.storage.dir.MetaProperties;
import io.oxbow.storage.doubles.FaultyFileSystem;
import io.oxbow.storage.doubles.FaultyFileSystem.Operation;
import io.oxbow.storage.log.AppendOrigin;
import io.oxbow.storage.log.AppendOutcome;
import io.oxbow.storage.log.AppendOutcome.Appended;
import io.oxbow.storage.log.AppendOutcome.Reason;
import io.oxbow.storage.log.AppendOutcome.Refused;
import io.oxbow.storage.log.ReadHint;
import io.oxbow.storage.log.ReadOutcome;
import io.oxbow.storage.log.ReadRequest;
import io.oxbow.storage.log.SettingsBuilder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Spec 10 D: what a failure costs, and what it does not. */
class DirectoryFailureTest {
    @TempDir Path root;
    private PoolFixture fixture;

    @BeforeEach
    void setUp() {
        fixture = new PoolFixture(root, 3);
        fixture.open();
    }

    @AfterEach
    void tearDown() {
        fixture.close();
    }

    @Test
    void shouldGoOnWithTheOthersWhenADirectoryDiesUnderLoad() {
        HostedLog dying = fixture.log(1, fixture.id(1));
        HostedLog first = fixture.log(0, fixture.id(0));
        HostedLog last = fixture.log(2, fixture.id(2));
        Uuid lost = fixture.id(1);
        List<String> acknowledged = new ArrayList<>();
        FaultyFileSystem.Fault death = null;
        Refused refusal = null;
        for (int i = 0; i < 200; i++) {
            if (i == 100) death = fixture.files.kill(fixture.directories.get(1));
            assertInstanceOf(Appended.class, fixture.append(first, "v" + i));
            assertInstanceOf(Appended.class, fixture.append(last, "v" + i));
            AppendOutcome outcome = fixture.append(dying, "v" + i);
            if (outcome instanceof Appended) acknowledged.add("v" + i);
            else refusal = (Refused) outcome;
        }
        assertEquals(Reason.DIRECTORY_OFFLINE, refusal.reason());
        assertEquals(100, acknowledged.size());
        assertTrue(dying.unavailableBecause().contains("d1"), dying.unavailableBecause());
        assertEquals(List.of("offline d1"), fixture.listener.events);
        assertEquals(Set.of(lost), fixture.pool.offlineDirectories());
        assertEquals(DirectoryStatus.State.OFFLINE, fixture.status(1).state());
        assertEquals(DirectoryStatus.State.ONLINE, fixture.status(0).state());
        assertInstanceOf(
                ReadOutcome.Unavailable.class,
                dying.read(
                        new ReadRequest(0, 100, true, ReadRequest.Isolation.HIGH_WATERMARK),
                        new ReadHint()));
        assertEquals(200, fixture.read(first).size());
        death.heal();
        fixture.restart();
        assertEquals(acknowledged, fixture.read(fixture.log(1)));
    }

    @Test
    void shouldRefuseAllAppendsOfATurnWhoseSyncFailed() {
        fixture.settings = new SettingsBuilder().flushMessages(1).build();
        HostedLog log = fixture.log(0, fixture.id(1));
        fixture.append(log, "before");
        // Fails once: the policy is that a failed sync is final, since nothing that follows
        // proves that the data is there.
        fixture.files.failTimes(
                1,
                Kind.FAILED,
                (operation, path) ->
                        operation == Operation.SYNC && path.startsWith(root.resolve("d1")));
        Refused refused = assertInstanceOf(Refused.class, fixture.append(log, "lost"));
        assertEquals(Reason.DIRECTORY_OFFLINE, refused.reason());
        assertEquals(DirectoryStatus.State.OFFLINE, fixture.status(1).state());
        fixture.restart();
        // Not acknowledged, so it may or may not be there; what was acknowledged must.
        assertEquals("before", fixture.read(fixture.log(0)).getFirst());
    }

    @Test
    void neverGoesOnAfterASyncThatFoundNoRoom() {
        fixture.settings = new SettingsBuilder().flushMessages(1).build();
        HostedLog log = fixture.log(0, fixture.id(1));
        fixture.files.failTimes(
                1,
                Kind.UNSYNCED,
                (operation, path) ->
                        operation == Operation.SYNC && path.startsWith(root.resolve("d1")));
        Refused refused = assertInstanceOf(Refused.class, fixture.append(log, "lost"));
        assertEquals(Reason.DIRECTORY_OFFLINE, refused.reason());
        assertEquals(DirectoryStatus.State.OFFLINE, fixture.status(1).state());
    }

    @Test
    void neverSaysThatALogIsMadeWhenItsNameCouldNotBeSynced() {
        Path directory = fixture.directories.get(1);
        Uuid id = fixture.id(1);
        fixture.files.failTimes(
                1,
                Kind.FAILED,
                (operation, path) -> operation == Operation.SYNC && path.equals(directory));
        assertThrows(DiskException.class, () -> await(fixture.obtain(0, id)));
        assertEquals(List.of("offline d1"), fixture.listener.events);
    }

    @Test
    void shouldTellWatchersOfALogThatIsGone() {
        HostedLog log = fixture.log(0, fixture.id(1));
        AtomicInteger told = new AtomicInteger();
        log.watch(moved -> told.incrementAndGet());
        fixture.files.kill(fixture.directories.get(1));
        fixture.append(log, "v");
        fixture.settle();
        assertEquals(1, told.get());
        log.watch(moved -> told.incrementAndGet());
        fixture.settle();
        assertEquals(2, told.get());
    }

    @Test
    void shouldNoticeThatAnIdleDirectoryHasDied() {
        fixture.log(0, fixture.id(1));
        fixture.files.fail(Kind.FAILED, fixture.directories.get(1), Set.of(Operation.WRITE));
        fixture.pass(5_000);
        assertEquals(List.of("offline d1"), fixture.listener.events);
    }

    @Test
    void shouldNoticeThatADiskWasUnmounted() {
        Path mounted = fixture.directories.get(2);
        NativeFileSystem.INSTANCE.rename(mounted, root.resolve("unmounted"));
        NativeFileSystem.INSTANCE.createDirectories(mounted);
        fixture.pass(5_000);
        assertEquals(List.of("offline d2"), fixture.listener.events);
        assertTrue(fixture.status(2).reason().contains(MetaProperties.FILE_NAME));
        assertTrue(NativeFileSystem.INSTANCE.list(mounted).isEmpty());
    }

    @Test
    void shouldLeaveNothingOfItsProbesBehind() {
        fixture.pass(60_000);
        for (Path each : fixture.directories) {
            assertFalse(NativeFileSystem.INSTANCE.exists(each.resolve(".oxbow-probe")));
        }
        assertTrue(fixture.listener.events.isEmpty(), fixture.listener.events.toString());
    }

    @Test
    void shouldLoseOnlyTheReplicaWhoseSegmentIsMissing() {
        // Case U33: a closed segment goes away underneath, then retention runs.
        fixture.settings = new SettingsBuilder().segmentBytes(200).retention(250, -1).build();
        HostedLog damaged = fixture.log(0, fixture.id(1));
        HostedLog other = fixture.log(1, fixture.id(1));
        for (int i = 0; i < 10; i++) {
            fixture.append(damaged, "value" + i);
            fixture.append(other, "value" + i);
        }
        NativeFileSystem.INSTANCE.delete(
                fixture.directories.get(1).resolve("t-0/00000000000000000000.log"));
        fixture.pass(PoolFixture.RETENTION_MS);
        assertFalse(fixture.listener.events.contains("offline d1"));
        assertEquals(DirectoryStatus.State.ONLINE, fixture.status(1).state());
        assertNull(other.unavailableBecause());
        assertInstanceOf(Appended.class, fixture.append(other, "more"));
    }

    @Test
    void shouldLoseOnlyTheReplicaThatCannotBeReadWhileTheDirectoryAnswers() {
        HostedLog damaged = fixture.log(0, fixture.id(1));
        HostedLog other = fixture.log(1, fixture.id(1));
        fixture.append(damaged, "a");
        fixture.append(other, "a");
        FaultyFileSystem.Fault unreadable = loseByReading(damaged, 0);
        assertEquals(List.of("lost t-0"), fixture.listener.events);
        assertInstanceOf(Refused.class, fixture.append(damaged, "b"));
        assertInstanceOf(Appended.class, fixture.append(other, "b"));
        assertThrows(DiskException.class, () -> await(fixture.obtain(0, UNASSIGNED)));
        // Dropped and made again, as a follower would to fetch it anew.
        await(fixture.pool.delete(partition(0)));
        unreadable.heal();
        assertEquals(0, await(fixture.obtain(0, UNASSIGNED)).view().endOffset());
    }

    @Test
    void shouldRememberWhereAReplicaBeganThatCouldNotBeRead() {
        HostedLog damaged = fixture.log(0, fixture.id(1));
        fixture.append(damaged, "a", "b", "c");
        await(damaged.deleteRecordsBefore(2));
        loseByReading(damaged, 2).heal();
        fixture.log(1, fixture.id(1));
        fixture.pool.close();
        fixture.open();
        assertEquals(2, await(fixture.obtain(0, UNASSIGNED)).view().logStartOffset());
    }

    /** Nothing of t-0 can be read any more; returns when a reader has met that. */
    private FaultyFileSystem.Fault loseByReading(HostedLog damaged, long offset) {
        FaultyFileSystem.Fault unreadable =
                fixture.files.fail(
                        Kind.FAILED,
                        (operation, path) ->
                                operation == Operation.READ && path.toString().contains("t-0/"));
        CompletableFuture<ReadOutcome> outcome = new CompletableFuture<>();
        damaged.readLater(
                new ReadRequest(offset, 100, true, ReadRequest.Isolation.HIGH_WATERMARK),
                outcome::complete);
        assertInstanceOf(ReadOutcome.Unavailable.class, await(outcome));
        fixture.settle();
        return unreadable;
    }

    @Test
    void shouldSayWhenTheMetadataDirectoryFails() {
        fixture.files.kill(fixture.directories.get(0));
        fixture.pass(5_000);
        assertEquals(List.of("offline d0", "nothing left"), fixture.listener.events);
    }

    @Test
    void shouldSayWhenTheLastDirectoryFails() {
        fixture.pool.close();
        Path meta = root.resolve("meta");
        NativeFileSystem.INSTANCE.createDirectories(meta);
        NativeFileSystem.INSTANCE.writeAtomically(
                meta.resolve(MetaProperties.FILE_NAME),
                NativeFileSystem.INSTANCE.readAll(
                        fixture.directories.get(0).resolve(MetaProperties.FILE_NAME)));
        fixture.directories.removeFirst();
        fixture.metadataDirectory = meta;
        fixture.open();
        fixture.files.kill(fixture.directories.get(0));
        fixture.pass(5_000);
        assertEquals(List.of("offline d1"), fixture.listener.events);
        fixture.files.kill(fixture.directories.get(1));
        fixture.pass(5_000);
        assertEquals(List.of("offline d1", "offline d2", "nothing left"), fixture.listener.events);
    }

    @Test
    void shouldRefuseToObtainWhatLiesOnAFailedDirectory() {
        // Case U29's storage side.
        fixture.log(0, fixture.id(1));
        Uuid lost = fixture.id(1);
        fixture.files.kill(fixture.directories.get(1));
        fixture.pass(5_000);
        assertThrows(DiskException.class, () -> await(fixture.obtain(0, lost)));
        assertThrows(DiskException.class, () -> await(fixture.obtain(0, UNASSIGNED)));
        assertFalse(NativeFileSystem.INSTANCE.exists(fixture.directories.get(0).resolve("t-0")));
        // Deleted and made again while it is offline: then it may be elsewhere.
        await(fixture.pool.delete(partition(0)));
        HostedLog made =
                await(
                        fixture.pool.obtain(
                                partition(0), new Uuid(9, 9), UNASSIGNED, fixture.settings));
        assertFalse(made.directoryId().equals(lost));
    }

    @Test
    void shouldAnswerEverybodyWhoseAppendsWereWaitingWhenItFailed() {
        HostedLog log = fixture.log(0, fixture.id(1));
        FaultyFileSystem.Fault stall =
                fixture.files.stall(
                        (operation, path) ->
                                operation == Operation.WRITE
                                        && path.startsWith(fixture.directories.get(1)));
        List<CompletableFuture<AppendOutcome>> answers = new ArrayList<>();
        for (int i = 0; i < 50; i++) answers.add(fixture.send(log, AppendOrigin.CLIENT, "v"));
        fixture.files.kill(fixture.directories.get(1));
        stall.heal();
        // Those of the turn that had begun may have been written.
        for (CompletableFuture<AppendOutcome> each : answers) await(each);
        assertInstanceOf(Refused.class, fixture.append(log, "late"));
    }
}
