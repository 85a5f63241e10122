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
import io.oxbow.storage.dir.OffsetCheckpoint;
import io.oxbow.storage.doubles.FaultyFileSystem;
import io.oxbow.storage.doubles.FaultyFileSystem.Operation;
import io.oxbow.storage.doubles.FaultyVolume;
import io.oxbow.storage.log.AppendOrigin;
import io.oxbow.storage.log.AppendOutcome;
import io.oxbow.storage.log.AppendOutcome.Appended;
import io.oxbow.storage.log.AppendOutcome.Reason;
import io.oxbow.storage.log.AppendOutcome.Refused;
import io.oxbow.storage.log.LogSettings;
import io.oxbow.storage.log.SettingsBuilder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Spec 10 F1: a directory that fills, before and at ENOSPC, and has room again. */
class DirectoryFullTest {
    private static final String KIB = "x".repeat(1000);
    private static final long MIB = 1 << 20;

    @TempDir Path root;
    private PoolFixture fixture;
    private FaultyVolume volume;

    @BeforeEach
    void setUp() {
        fixture = new PoolFixture(root, 2);
        volume = fixture.files.limit(fixture.directories.get(1), MIB);
    }

    @AfterEach
    void tearDown() {
        volume.resize(100 * MIB);
        fixture.close();
    }

    @Test
    void shouldRefuseClientsBeforeTheDiskIsFullButLetInternalWritesGoOn() {
        // Case U42.
        fixture.reserveBytes = 200_000;
        HostedLog log = fixture.open().log(0, fixture.id(1));
        HostedLog elsewhere = fixture.log(1, fixture.id(0));
        int taken = fill(log);
        assertTrue(volume.usedBytes() <= MIB - 150_000, "used " + volume.usedBytes());
        assertTrue(taken > 500, "took " + taken);
        assertEquals(DirectoryStatus.State.FULL, fixture.status(1).state());
        assertEquals(List.of("full d1"), fixture.listener.events);
        assertInstanceOf(Appended.class, await(fixture.send(log, AppendOrigin.COORDINATOR, KIB)));
        assertInstanceOf(Appended.class, fixture.append(elsewhere, KIB));
        // Reading goes on, and so does what frees space.
        assertEquals(taken + 1, fixture.read(log).size());
        assertEquals(taken + 1L, await(log.deleteRecordsBefore(-1)));
        assertNull(log.unavailableBecause());
    }

    @Test
    void shouldResumeByItselfWhenThereIsRoom() {
        fixture.reserveBytes = 200_000;
        HostedLog log = fixture.open().log(0, fixture.id(1));
        fill(log);
        volume.resize(2 * MIB);
        assertInstanceOf(Refused.class, fixture.append(log, KIB));
        fixture.pass(1_000);
        assertInstanceOf(Appended.class, fixture.append(log, KIB));
        assertEquals(List.of("full d1", "room d1"), fixture.listener.events);
    }

    @Test
    void shouldSurviveTheDiskFillingUpToTheLastByte() {
        // Case U40: no reserve, so ENOSPC itself.
        HostedLog log = fixture.open().log(0, fixture.id(1));
        List<String> acknowledged = new ArrayList<>();
        Refused refused = null;
        for (int i = 0; refused == null; i++) {
            AppendOutcome outcome = fixture.append(log, "v" + i + KIB);
            if (outcome instanceof Appended) acknowledged.add("v" + i + KIB);
            else refused = (Refused) outcome;
        }
        assertEquals(Reason.DIRECTORY_FULL, refused.reason());
        assertEquals(DirectoryStatus.State.FULL, fixture.status(1).state());
        assertNull(log.unavailableBecause());
        assertEquals(acknowledged, fixture.read(log));
        volume.resize(2 * MIB);
        fixture.pass(1_000);
        assertInstanceOf(Appended.class, fixture.append(log, "after"));
        acknowledged.add("after");
        assertEquals(acknowledged, fixture.read(log));
        fixture.crash();
        assertEquals(acknowledged, fixture.read(fixture.log(0)));
    }

    @Test
    void shouldFreeSpaceByDeletingALogWhileFull() {
        HostedLog log = fixture.open().log(0, fixture.id(1));
        HostedLog other = fixture.log(1, fixture.id(1));
        fill(log);
        await(fixture.pool.delete(partition(0)));
        fixture.pass(1_000);
        fixture.pass(1_000);
        assertInstanceOf(Appended.class, fixture.append(other, KIB));
        assertEquals(DirectoryStatus.State.ONLINE, fixture.status(1).state());
    }

    @Test
    void shouldRollEarlySoThatRetentionKeepsTheDirectoryFromFilling() {
        // Case U44: segments far larger than the disk, retention far smaller.
        fixture.reserveBytes = 200_000;
        fixture.settings = new SettingsBuilder().retention(60_000, -1).build();
        fixture.open();
        List<HostedLog> logs = new ArrayList<>();
        for (int i = 0; i < 3; i++) logs.add(fixture.log(i, fixture.id(1)));
        int refusals = 0;
        for (int i = 0; i < 3_000; i++) {
            if (fixture.append(logs.get(i % 3), KIB) instanceof Refused) refusals++;
            if (i % 20 == 0) fixture.pass(1_000);
        }
        assertTrue(volume.usedBytes() < MIB - 100_000, "used " + volume.usedBytes());
        assertEquals(0, refusals);
    }

    @Test
    void shouldStartOnAFullDiskAndServeOnceSpaceIsFreed() {
        // Case U41.
        fixture.settings = new SettingsBuilder().segmentBytes(100_000).build();
        HostedLog log = fixture.open().log(0, fixture.id(1));
        int taken = fill(log);
        fixture.pool.abandon();
        volume.resize(volume.usedBytes());
        fixture.open();
        HostedLog again = leading(await(fixture.obtain(0, UNASSIGNED)));
        assertEquals(taken, fixture.read(again).size());
        assertInstanceOf(Refused.class, fixture.append(again, KIB));
        LogSettings shorter =
                new SettingsBuilder().segmentBytes(100_000).retention(300_000, -1).build();
        await(again.reconfigure(shorter));
        // Twice: a tick that falls due before the last one has run is left out.
        fixture.pass(1_000);
        fixture.pass(1_000);
        assertInstanceOf(Appended.class, fixture.append(again, KIB));
        assertEquals(DirectoryStatus.State.ONLINE, fixture.status(1).state());
    }

    @Test
    void neverDeletesByDefaultsWhatATopicWantsToKeep() {
        // Until the topic's own settings are known, even a full disk is no reason to delete.
        fixture.settings = new SettingsBuilder().segmentBytes(100_000).build();
        HostedLog log = fixture.open().log(0, fixture.id(1));
        int taken = fill(log);
        fixture.pool.close();
        fixture.settings =
                new SettingsBuilder().segmentBytes(100_000).retention(100_000, 1).build();
        fixture.open();
        fixture.pass(10_000);
        fixture.pass(PoolFixture.RETENTION_MS);
        fixture.settings = new SettingsBuilder().segmentBytes(100_000).build();
        assertEquals(taken, fixture.read(leading(await(fixture.obtain(0, UNASSIGNED)))).size());
    }

    @Test
    void neverSaysThatRecordsAreDeletedBeforeTheirLogStartIsDurable() {
        HostedLog log = fixture.open().log(0, fixture.id(1));
        fixture.append(log, "a", "b", "c");
        Path checkpoint = fixture.directories.get(1).resolve(OffsetCheckpoint.LOG_START);
        FaultyFileSystem.Fault noRoom =
                fixture.files.fail(Kind.FULL, checkpoint, Set.of(Operation.WRITE));
        assertThrows(DiskException.class, () -> await(log.deleteRecordsBefore(2)));
        assertThrows(DiskException.class, () -> await(log.deleteRecordsBefore(2)));
        noRoom.heal();
        assertEquals(2, await(log.deleteRecordsBefore(2)));
        fixture.crash();
        assertEquals(List.of("c"), fixture.read(fixture.log(0)));
    }

    @Test
    void neverSaysThatALogIsMadeBeforeItsNameIsDurable() {
        fixture.open();
        Path directory = fixture.directories.get(1);
        FaultyFileSystem.Fault noFiles =
                fixture.files.fail(
                        Kind.FULL,
                        (operation, path) -> operation == Operation.SYNC && path.equals(directory));
        CompletableFuture<HostedLog> made = fixture.obtain(0, fixture.id(1));
        fixture.settle();
        fixture.settle();
        assertFalse(made.isDone());
        noFiles.heal();
        fixture.pass(1_000);
        assertEquals(fixture.id(1), await(made).directoryId());
    }

    @Test
    void shouldMakeRoomFromWhatEarlierRunsDeleted() {
        HostedLog log = fixture.open().log(0, fixture.id(1));
        fill(log);
        await(fixture.pool.delete(partition(0)));
        fixture.pool.abandon();
        volume.resize(volume.usedBytes());
        fixture.open();
        fixture.pass(2_000);
        fixture.pass(2_000);
        assertInstanceOf(Appended.class, fixture.append(fixture.log(1, fixture.id(1)), KIB));
        assertTrue(
                NativeFileSystem.INSTANCE.list(fixture.directories.get(1)).stream()
                        .noneMatch(each -> each.toString().endsWith("-delete")));
    }

    /** Appends until refused; returns how many were taken. */
    private int fill(HostedLog log) {
        int taken = 0;
        while (fixture.append(log, KIB) instanceof Appended) taken++;
        return taken;
    }

    private static HostedLog leading(HostedLog log) {
        await(log.lead(1, true));
        return log;
    }
}
