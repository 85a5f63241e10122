// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.lane;

import static io.oxbow.storage.lane.PoolFixture.UNASSIGNED;
import static io.oxbow.storage.lane.PoolFixture.await;
import static io.oxbow.storage.lane.PoolFixture.partition;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.oxbow.base.error.CorruptException;
import io.oxbow.base.error.OxbowException;
import io.oxbow.base.file.FileSystem.Mode;
import io.oxbow.base.file.NativeFileSystem;
import io.oxbow.base.file.StoreFile;
import io.oxbow.storage.dir.CleanShutdownFormat;
import io.oxbow.storage.dir.OffsetCheckpoint;
import io.oxbow.storage.doubles.FaultyFileSystem;
import io.oxbow.storage.doubles.FaultyFileSystem.Operation;
import io.oxbow.storage.log.SettingsBuilder;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecoveryTest {
    @TempDir Path root;
    private PoolFixture fixture;

    @BeforeEach
    void setUp() {
        fixture = new PoolFixture(root, 2);
    }

    @AfterEach
    void tearDown() {
        fixture.close();
    }

    @Test
    void shouldServeAfterAKillAllThatWasAcknowledged() {
        fixture.open();
        for (int round = 0; round < 5; round++) {
            for (int i = 0; i < 4; i++) {
                fixture.append(fixture.log(i, fixture.id(i % 2)), "r" + round, "r" + round + "b");
            }
            fixture.crash();
        }
        for (int i = 0; i < 4; i++) {
            assertEquals(
                    List.of("r0", "r0b", "r1", "r1b", "r2", "r2b", "r3", "r3b", "r4", "r4b"),
                    fixture.read(fixture.log(i)));
        }
    }

    @Test
    void shouldCutATornTail() {
        HostedLog log = fixture.open().log(0, fixture.id(0));
        fixture.append(log, "a", "b");
        fixture.pool.abandon();
        Path segment = fixture.directories.get(0).resolve("t-0/00000000000000000000.log");
        try (StoreFile file = NativeFileSystem.INSTANCE.open(segment, Mode.WRITE)) {
            file.write(ByteBuffer.wrap(new byte[37]), file.size());
        }
        fixture.open();
        HostedLog again = fixture.log(0);
        assertEquals(List.of("a", "b"), fixture.read(again));
        fixture.append(again, "c");
        assertEquals(List.of("a", "b", "c"), fixture.read(again));
    }

    @Test
    void shouldBringPartitionsOnlineOneByOneAndShowTheProgress() {
        fixture.open();
        for (int i = 0; i < 5; i++) fixture.append(fixture.log(i, fixture.id(1)), "v" + i);
        fixture.pool.abandon();
        FaultyFileSystem.Fault stall = stallOpening(3);
        fixture.open();
        for (int i = 0; i < 5; i++) {
            if (i != 3) assertEquals(List.of("v" + i), fixture.read(fixture.log(i)));
        }
        assertEquals(5, fixture.status(1).logs());
        assertEquals(1, fixture.status(1).logsToRecover());
        assertTrue(fixture.status(1).recoveryBytesLeft() > 0);
        assertTrue(fixture.pool.find(partition(3)).isEmpty());
        CompletableFuture<HostedLog> waiting = fixture.obtain(3, UNASSIGNED);
        assertFalse(waiting.isDone());
        stall.heal();
        assertEquals(1, await(waiting).view().endOffset());
        assertEquals(0, fixture.status(1).logsToRecover());
        assertEquals(0, fixture.status(1).recoveryBytesLeft());
    }

    @Test
    void neverReadsAgainWhatWasRecoveredBeforeASecondKill() {
        // Case U51.
        fixture.open();
        for (int i = 0; i < 6; i++) {
            HostedLog log = fixture.log(i, fixture.id(1));
            for (int j = 0; j < 50; j++) fixture.append(log, "v" + j);
        }
        fixture.pool.abandon();
        FaultyFileSystem.Fault stall = stallOpening(5);
        fixture.open();
        for (int i = 0; i < 5; i++) await(fixture.obtain(i, UNASSIGNED));
        fixture.pass(1_000);
        // Killed while t-5 is still being recovered: what is noted of it must not be lost either.
        Uuid home = fixture.id(1);
        CompletableFuture<Void> killed = CompletableFuture.runAsync(fixture.pool::abandon);
        stall.heal();
        await(killed);
        var points =
                new OffsetCheckpoint(
                                NativeFileSystem.INSTANCE,
                                fixture.directories.get(1),
                                OffsetCheckpoint.RECOVERY_POINT)
                        .read();
        for (int i = 0; i < 5; i++) assertEquals(50L, points.get(partition(i)), "t-" + i);
        fixture.open();
        for (int i = 0; i < 6; i++) {
            HostedLog log = fixture.log(i);
            assertEquals(home, log.directoryId());
            assertEquals(50, fixture.read(log).size());
        }
    }

    @Test
    void shouldReadOnlyWhatWasWrittenSinceTheCheckpoint() {
        // Case U52.
        fixture.settings = new SettingsBuilder().segmentBytes(2_000).build();
        HostedLog log = fixture.open().log(0, fixture.id(1));
        for (int i = 0; i < 100; i++) fixture.append(log, "x".repeat(100) + i);
        await(
                log.onLane(
                        held -> {
                            held.flush();
                            return null;
                        }));
        fixture.pass(PoolFixture.CHECKPOINT_MS);
        fixture.append(log, "last");
        fixture.pool.abandon();
        Set<String> read = ConcurrentHashMap.newKeySet();
        fixture.files.add(
                (operation, path) ->
                        operation == Operation.READ
                                && path.toString().endsWith(".log")
                                && read.add(path.getFileName().toString()),
                () -> {});
        fixture.open();
        HostedLog again = await(fixture.obtain(0, UNASSIGNED));
        assertEquals(101, again.view().endOffset());
        assertTrue(read.size() <= 2, read.toString());
    }

    @Test
    void shouldLoseOnlyTheLogThatCannotBeOpened() {
        fixture.open();
        fixture.append(fixture.log(0, fixture.id(1)), "a");
        fixture.append(fixture.log(1, fixture.id(1)), "a");
        fixture.pool.abandon();
        fixture.files.fail(
                io.oxbow.base.error.DiskException.Kind.FAILED,
                (operation, path) ->
                        operation == Operation.READ && path.toString().contains("t-0/"));
        fixture.open();
        assertThrows(OxbowException.class, () -> await(fixture.obtain(0, UNASSIGNED)));
        assertEquals(List.of("a"), fixture.read(fixture.log(1)));
        assertEquals(DirectoryStatus.State.ONLINE, fixture.status(1).state());
        assertEquals(0, fixture.status(1).logsToRecover());
    }

    @Test
    void neverOpensALogEmptyThatHasLostItsFiles() {
        HostedLog log = fixture.open().log(0, fixture.id(1));
        fixture.append(log, "a", "b");
        fixture.append(fixture.log(1, fixture.id(1)), "a");
        fixture.pass(PoolFixture.CHECKPOINT_MS);
        fixture.pool.abandon();
        Path folder = fixture.directories.get(1).resolve("t-0");
        for (Path each : NativeFileSystem.INSTANCE.list(folder)) {
            if (each.toString().endsWith(".log")) NativeFileSystem.INSTANCE.delete(each);
        }
        int left = NativeFileSystem.INSTANCE.list(folder).size();
        fixture.open();
        CorruptException lost =
                assertThrows(CorruptException.class, () -> await(fixture.obtain(0, UNASSIGNED)));
        assertTrue(lost.getMessage().contains("reached offset 2"), lost.getMessage());
        assertEquals(left, NativeFileSystem.INSTANCE.list(folder).size(), "nothing was touched");
        assertEquals(List.of("a"), fixture.read(fixture.log(1)));
        assertEquals(DirectoryStatus.State.ONLINE, fixture.status(1).state());
    }

    @Test
    void shouldFailThoseWhoWaitForADirectoryThatDiesWhileItRecovers() {
        fixture.open();
        List<CompletableFuture<HostedLog>> waiting = new ArrayList<>();
        for (int i = 0; i < 20; i++) fixture.append(fixture.log(i, fixture.id(1)), "a");
        fixture.pool.abandon();
        FaultyFileSystem.Fault stall =
                fixture.files.stall(
                        (operation, path) ->
                                operation == Operation.LIST && path.toString().contains("/d1/t-"));
        // The estimate lists the folders too: let the pool open first.
        CompletableFuture<Void> opened = CompletableFuture.runAsync(fixture::open);
        stall.heal();
        await(opened);
        fixture.files.kill(fixture.directories.get(1));
        fixture.pass(5_000);
        for (int i = 0; i < 20; i++) waiting.add(fixture.obtain(i, UNASSIGNED));
        for (CompletableFuture<HostedLog> each : waiting) {
            assertThrows(OxbowException.class, () -> await(each));
        }
        assertTrue(fixture.listener.events.contains("offline d1"));
    }

    @Test
    void shouldNotCountAsCleanWhatWasStillBeingRecovered() {
        fixture.open();
        fixture.append(fixture.log(0, fixture.id(1)), "a");
        fixture.pool.abandon();
        FaultyFileSystem.Fault stall = stallOpening(0);
        fixture.open();
        CompletableFuture<Void> closed = CompletableFuture.runAsync(fixture.pool::close);
        stall.heal();
        await(closed);
        fixture.open();
        assertEquals(List.of("a"), fixture.read(fixture.log(0)));
    }

    @Test
    void shouldForgetDurablyThatItWasClosedCleanlyBeforeAnythingIsWritten() {
        fixture.open();
        fixture.append(fixture.log(0, fixture.id(1)), "a");
        fixture.pool.close();
        Path home = fixture.directories.get(1);
        List<String> changes = new CopyOnWriteArrayList<>();
        fixture.files.add(
                (what, path) ->
                        path.startsWith(home)
                                && FaultyFileSystem.CHANGES.contains(what)
                                && what != Operation.LOCK
                                && changes.add(what + " " + home.relativize(path)),
                () -> {});
        fixture.open();
        assertEquals(
                List.of("DELETE " + CleanShutdownFormat.FILE_NAME, "SYNC "), changes.subList(0, 2));
    }

    /** Opening this log waits at its first segment file; the directory's estimate does not. */
    private FaultyFileSystem.Fault stallOpening(int number) {
        return fixture.files.stall(
                (operation, path) ->
                        operation == Operation.OPEN
                                && path.toString().contains("t-" + number + "/"));
    }
}
