// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.oxbow.base.error.CorruptException;
import io.oxbow.base.error.DiskException;
import io.oxbow.base.error.DiskException.Kind;
import io.oxbow.base.file.NativeFileSystem;
import io.oxbow.storage.doubles.FaultyFileSystem;
import io.oxbow.storage.doubles.FaultyFileSystem.Operation;
import io.oxbow.storage.doubles.FaultyVolume;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a crash, a full disk or a stray hand may leave, and what becomes of it. */
class LogCrashTest {
    private static final String FIRST = "00000000000000000000";

    @TempDir Path parent;

    @Test
    void shouldKeepWholeBatchesWhereverTheFileWasTorn() throws IOException {
        LogFixture fixture = filled("whole", 5);
        Path log = fixture.folder.resolve(FIRST + ".log");
        byte[] whole = Files.readAllBytes(log);
        int batch = whole.length / 5;
        assertEquals(0, whole.length % 5);
        fixture.log.abandon();
        for (int size = batch * 2; size <= whole.length; size++) {
            LogFixture torn = new LogFixture(parent.resolve("torn" + size));
            torn.settings = fixture.settings;
            Files.createDirectories(torn.folder);
            Files.write(torn.folder.resolve(FIRST + ".log"), java.util.Arrays.copyOf(whole, size));
            torn.open(0, false);
            assertEquals(size / batch, torn.log.view().endOffset(), "torn at " + size);
            assertEquals(size / batch, torn.readAll(0).size());
            assertEquals(
                    new AppendOutcome.Appended(size / batch, size / batch, -1, 0),
                    torn.append("next"));
            torn.log.abandon();
        }
    }

    @Test
    void shouldCutGarbageAtTheEnd() throws IOException {
        LogFixture fixture = filled("garbage", 5);
        fixture.log.abandon();
        for (byte[] tail :
                List.of(new byte[500], TestBatches.bytes("some other text, not a batch"))) {
            Files.write(fixture.folder.resolve(FIRST + ".log"), tail, StandardOpenOption.APPEND);
            fixture.open(0, false);
            assertEquals(5, fixture.readAll(0).size());
            fixture.log.abandon();
        }
    }

    @Test
    void shouldScanOnlyFromTheRecoveryPoint() throws IOException {
        LogFixture fixture = filled("point", 40);
        fixture.log.flush();
        for (int i = 0; i < 5; i++) fixture.append("late" + i);
        fixture.log.abandon();
        // A flipped bit far below the recovery point is for the scrubber, not for recovery.
        flip(fixture.folder.resolve(FIRST + ".log"), 100);
        fixture.open(40, false);
        assertEquals(45, fixture.log.view().endOffset());
        assertEquals(40, fixture.log.view().recoveryPoint());
        fixture.log.abandon();
        fixture.open(0, false);
        assertEquals(1, fixture.log.view().endOffset());
    }

    @ParameterizedTest
    @ValueSource(strings = {".index", ".timeindex"})
    void shouldRebuildIndexesThatAreMissingOrDamaged(String kind) throws IOException {
        LogFixture fixture = filled("index", 30);
        fixture.append(TestBatches.plain(fixture.clock.wallMs() + 5, "latest"));
        fixture.log.roll(true);
        fixture.append("after");
        fixture.log.close();
        Path index = fixture.folder.resolve(FIRST + kind);
        byte[] good = Files.readAllBytes(index);
        assertTrue(good.length > 20);
        List<byte[]> damaged =
                List.of(
                        new byte[0],
                        TestBatches.bytes("garbage garbage garbage!".repeat(3)),
                        java.util.Arrays.copyOf(good, good.length + 240),
                        java.util.Arrays.copyOf(good, good.length - 1));
        for (byte[] content : damaged) {
            Files.write(index, content);
            fixture.open(32, true);
            assertEquals(32, fixture.readAll(0).size());
            assertEquals("17:v17", fixture.readAll(17).getFirst());
            assertEquals(30, fixture.log.offsetForTimestamp(fixture.clock.wallMs() + 1).offset());
            fixture.log.close();
        }
        Files.delete(index);
        fixture.open(32, true);
        assertEquals("17:v17", fixture.readAll(17).getFirst());
        assertEquals(30, fixture.log.offsetForTimestamp(fixture.clock.wallMs() + 1).offset());
        fixture.log.close();
        assertEquals(good.length, Files.size(index));
    }

    @Test
    void shouldRemakeLeaderEpochsFromTheBatches() throws IOException {
        LogFixture fixture = new LogFixture(parent);
        fixture.settings = LogFixture.small(300);
        fixture.open(0, true);
        for (int i = 0; i < 30; i++) {
            fixture.log.stage(
                    TestBatches.checked(TestBatches.plain(1, "v" + i)), AppendOrigin.CLIENT, i / 7);
            fixture.log.writeStaged();
        }
        fixture.log.close();
        Path checkpoint = fixture.folder.resolve(LeaderEpochFormat.FILE_NAME);
        String good = Files.readString(checkpoint);
        assertEquals("0\n5\n0 0\n1 7\n2 14\n3 21\n4 28\n", good);
        for (String damaged : List.of("", "0\n", "0\n2\n1 1\n", "garbage", "1\n0\n", "0\n-3\n")) {
            Files.writeString(checkpoint, damaged);
            fixture.open(30, true);
            assertEquals(good, Files.readString(checkpoint), "after '" + damaged + "'");
            assertEquals(new EpochEnd(2, 21), fixture.log.endOffsetForEpoch(2));
            fixture.log.close();
        }
        Files.delete(checkpoint);
        fixture.open(30, true);
        assertEquals(good, Files.readString(checkpoint));
    }

    @Test
    void shouldRemakeProducersWhenSnapshotsAreDamagedOrGone() throws IOException {
        LogFixture fixture = new LogFixture(parent);
        fixture.settings = LogFixture.small(400);
        fixture.open(0, true);
        for (int i = 0; i < 20; i++) {
            fixture.append(TestBatches.idempotent(9, 0, i, fixture.clock.wallMs(), "v" + i));
        }
        fixture.log.close();
        Path last = fixture.folder.resolve("00000000000000000020.snapshot");
        byte[] good = Files.readAllBytes(last);
        for (int at = 0; at < good.length; at += 3) {
            flip(last, at);
            fixture.open(20, true);
            assertEquals(19, fixture.log.producers().getFirst().lastSequence());
            fixture.log.close();
            assertEquals(good.length, Files.size(last));
        }
        for (Path file : list(fixture.folder, ".snapshot")) Files.delete(file);
        fixture.open(20, true);
        assertEquals(
                new AppendOutcome.Duplicate(19, 19, -1, 0),
                fixture.append(TestBatches.idempotent(9, 0, 19, fixture.clock.wallMs(), "v19")));
    }

    @Test
    void shouldTreatBadPartitionMetadataAsMissing() throws IOException {
        LogFixture fixture = filled("metadata", 1);
        fixture.log.close();
        Files.writeString(fixture.folder.resolve("partition.metadata"), "version: 7\n");
        fixture.open(1, true);
        assertEquals(null, fixture.log.topicId());
    }

    @Test
    void shouldFinishOrUndoAReplacementOfSegments() throws IOException {
        LogFixture fixture = filled("swap", 10);
        fixture.log.close();
        Path log = fixture.folder.resolve(FIRST + ".log");
        byte[] whole = Files.readAllBytes(log);
        // A replacement that holds the first three batches and stands for all ten.
        byte[] three = java.util.Arrays.copyOf(whole, whole.length / 10 * 3);
        Files.write(fixture.folder.resolve(FIRST + ".log.cleaned"), three);
        Files.write(fixture.folder.resolve("00000000000000000099.index"), new byte[8]);
        Files.write(fixture.folder.resolve(FIRST + ".log.deleted"), new byte[8]);
        fixture.open(10, true);
        assertEquals(10, fixture.readAll(0).size());
        assertEquals(List.of(), list(fixture.folder, ".cleaned"));
        assertEquals(List.of(), list(fixture.folder, ".deleted"));
        assertFalse(Files.exists(fixture.folder.resolve("00000000000000000099.index")));
        fixture.log.close();
        Files.write(fixture.folder.resolve(FIRST + ".log.swap"), three);
        fixture.open(10, false);
        assertEquals(3, fixture.readAll(0).size());
        assertEquals(List.of(), list(fixture.folder, ".swap"));
    }

    @Test
    void shouldBeAsBeforeWhenTheDiskIsFull() {
        LogFixture fixture = new LogFixture(parent);
        FaultyFileSystem files = new FaultyFileSystem(NativeFileSystem.INSTANCE);
        FaultyVolume volume = files.limit(parent, Long.MAX_VALUE);
        fixture.files = files;
        fixture.settings = LogFixture.small(500);
        fixture.open(0, true);
        fixture.append(TestBatches.idempotent(9, 0, 0, fixture.clock.wallMs(), "first"));
        for (long room = 0; room < 600; room += 7) {
            List<String> before = fixture.readAll(0);
            for (int i = 1; i <= 8; i++) {
                fixture.log.stage(
                        TestBatches.checked(
                                TestBatches.idempotent(
                                        9, 0, i, fixture.clock.wallMs(), "value number " + i)),
                        AppendOrigin.CLIENT,
                        0);
            }
            volume.resize(volume.usedBytes() + room);
            DiskException failure =
                    assertThrows(DiskException.class, () -> fixture.log.writeStaged());
            volume.resize(Long.MAX_VALUE);
            assertEquals(DiskException.Kind.FULL, failure.kind());
            assertEquals(0, failure.getSuppressed().length, "room " + room);
            assertEquals(1, fixture.log.view().endOffset());
            assertEquals(before, fixture.readAll(0), "room " + room);
            assertEquals(0, fixture.log.producers().getFirst().lastSequence());
        }
        fixture.append(TestBatches.idempotent(9, 0, 1, fixture.clock.wallMs(), "second"));
        fixture.crash();
        assertEquals(List.of("0:first", "1:second"), fixture.readAll(0));
    }

    @Test
    void shouldBlameOneReplicaForAMissingSegment() throws IOException {
        LogFixture fixture = filled("missing", 3);
        fixture.log.roll(true);
        fixture.append("x");
        fixture.log.close();
        fixture.open(4, true);
        Files.delete(fixture.folder.resolve(FIRST + ".log"));
        assertThrows(CorruptException.class, () -> fixture.readAll(0));
        assertEquals(List.of("3:x"), fixture.readAll(3));
        assertEquals(new AppendOutcome.Appended(4, 4, -1, 0), fixture.append("y"));
    }

    @Test
    void shouldRetainOtherSegmentsWhenOneIsMissing() throws IOException {
        LogFixture fixture = filled("retained", 3);
        fixture.log.roll(true);
        fixture.append("x");
        Files.delete(fixture.folder.resolve(FIRST + ".log"));
        fixture.log.raiseLogStart(3);
        assertEquals(List.of("3:x"), fixture.readAll(3));
        assertEquals(1, fixture.log.segments().size());
        fixture.log.deleteNow();
        assertEquals(List.of(), list(fixture.folder, ".deleted"));
    }

    @Test
    void shouldWriteALeaderEpochBeforeItsFirstBatch() throws IOException {
        LogFixture fixture = filled("epochs", 1);
        Path checkpoint = fixture.folder.resolve(LeaderEpochFormat.FILE_NAME);
        fixture.log.noteLeaderEpoch(4, 1);
        assertEquals("0\n1\n0 0\n", Files.readString(checkpoint));
        assertEquals(4, fixture.log.latestEpoch());
        fixture.log.stage(TestBatches.checked(TestBatches.plain(1, "a")), AppendOrigin.CLIENT, 4);
        fixture.log.writeStaged();
        assertEquals("0\n2\n0 0\n4 1\n", Files.readString(checkpoint));
        fixture.log.noteLeaderEpoch(5, 2);
        fixture.crash();
        assertEquals(4, fixture.log.latestEpoch());
    }

    @Test
    void shouldOpenNothingButSmallFilesAfterACleanClose() {
        LogFixture fixture = filled("lazy", 30);
        fixture.log.roll(true);
        fixture.append("x");
        fixture.log.close();
        FaultyFileSystem files = new FaultyFileSystem(NativeFileSystem.INSTANCE);
        fixture.files = files;
        fixture.open(31, true);
        assertEquals(0, files.count(Operation.OPEN));
        assertEquals(31, fixture.readAll(0).size());
        assertTrue(files.count(Operation.OPEN) > 0);
    }

    @Test
    void neverTakesARefusalThatCouldNotBeTakenBackForLackOfRoom() {
        LogFixture fixture = new LogFixture(parent);
        FaultyFileSystem files = new FaultyFileSystem(NativeFileSystem.INSTANCE);
        fixture.files = files;
        fixture.settings = LogFixture.small(200);
        fixture.open(0, true);
        for (int i = 0; i < 4; i++) {
            ByteBuffer batch = TestBatches.plain(fixture.clock.wallMs(), "value number " + i);
            fixture.log.stage(TestBatches.checked(batch), AppendOrigin.CLIENT, 0);
        }
        // The first segment is written, the second cannot be made, the first cannot be cut.
        files.fail(
                Kind.FULL,
                (operation, path) ->
                        operation == Operation.TRUNCATE
                                || (operation == Operation.OPEN
                                        && path.toString().endsWith(".log")
                                        && !path.endsWith(FIRST + ".log")));
        CorruptException failure =
                assertThrows(CorruptException.class, () -> fixture.log.writeStaged());
        assertTrue(failure.getMessage().contains("truncation"), failure.getMessage());
        fixture.log.abandon();
    }

    @Test
    void neverTakesATornAppendThatCouldNotBeCutOffForLackOfRoom() {
        LogFixture fixture = new LogFixture(parent);
        FaultyFileSystem files = new FaultyFileSystem(NativeFileSystem.INSTANCE);
        fixture.files = files;
        fixture.open(0, true);
        files.fail(
                Kind.FULL,
                (operation, path) ->
                        path.endsWith(FIRST + ".log")
                                && (operation == Operation.TRUNCATE
                                        || operation == Operation.WRITE));
        assertThrows(CorruptException.class, () -> fixture.append("value"));
        fixture.log.abandon();
    }

    @Test
    void shouldOpenEmptyWhenItWasKilledWhileAllOfItWasBeingDropped() throws IOException {
        LogFixture fixture = filled("dropped", 5);
        fixture.log.flush();
        fixture.log.abandon();
        Path segment = fixture.folder.resolve(FIRST + ".log");
        Files.move(segment, fixture.folder.resolve(FIRST + ".log.deleted"));
        fixture.open(5, false);
        assertEquals(0, fixture.log.view().endOffset());
        fixture.log.abandon();
    }

    @Test
    void shouldWriteNoEpochThatHasNoBatchesWhenItClosesOrOpens() throws IOException {
        LogFixture fixture = filled("idle", 1);
        fixture.log.close();
        Path checkpoint = fixture.folder.resolve(LeaderEpochFormat.FILE_NAME);
        FaultyFileSystem files = new FaultyFileSystem(NativeFileSystem.INSTANCE);
        fixture.files = files;
        // Kafka writes such an epoch at once; our own starts and stops leave none.
        for (String content : List.of("0\n1\n0 0\n", "0\n2\n0 0\n4 1\n")) {
            Files.writeString(checkpoint, content);
            int writes = files.count(Operation.WRITE);
            fixture.open(1, true);
            assertEquals(0, fixture.log.latestEpoch());
            assertEquals(writes, files.count(Operation.WRITE));
            assertEquals(0, files.count(Operation.SYNC));
            fixture.log.noteLeaderEpoch(5, 1);
            fixture.log.close();
            assertEquals("0\n1\n0 0\n", Files.readString(checkpoint));
        }
        assertEquals(1, files.count(Operation.WRITE));
    }

    @Test
    void shouldReplaceAnEpochWithoutBatchesBeforeTheFirstBatchInItsPlace() throws IOException {
        LogFixture fixture = filled("dangling", 1);
        fixture.log.close();
        Path checkpoint = fixture.folder.resolve(LeaderEpochFormat.FILE_NAME);
        Files.writeString(checkpoint, "0\n2\n0 0\n4 1\n");
        fixture.open(1, true);
        fixture.append("of epoch 0");
        assertEquals("0\n1\n0 0\n", Files.readString(checkpoint));
        fixture.crash();
        assertEquals(new EpochEnd(0, 2), fixture.log.endOffsetForEpoch(0));
    }

    @Test
    void shouldKeepAPrefixWhereverATruncationWasKilled() {
        for (long to : new long[] {1, 0}) {
            boolean killed = true;
            for (int renames = 0; killed; renames++) {
                LogFixture fixture = new LogFixture(parent.resolve(to + "-" + renames));
                FaultyFileSystem files = new FaultyFileSystem(NativeFileSystem.INSTANCE);
                fixture.files = files;
                fixture.settings = LogFixture.small(100);
                fixture.open(0, true);
                for (int i = 0; i < 4; i++) fixture.append("v" + i);
                assertEquals(4, fixture.log.segments().size());
                AtomicInteger left = new AtomicInteger(renames);
                FaultyFileSystem.Fault death =
                        files.fail(
                                Kind.FAILED,
                                (operation, path) ->
                                        FaultyFileSystem.CHANGES.contains(operation)
                                                && (operation != Operation.RENAME
                                                        || left.getAndDecrement() <= 0));
                try {
                    if (to == 0) fixture.log.truncateFullyAndStartAt(9);
                    else fixture.log.truncateTo(to);
                    killed = false;
                } catch (RuntimeException dead) {
                    killed = renames < 12;
                }
                death.heal();
                fixture.log.abandon();
                fixture.open(0, false);
                List<String> all = List.of("0:v0", "1:v1", "2:v2", "3:v3");
                List<String> kept = fixture.readAll(fixture.log.view().logStartOffset());
                assertEquals(all.subList(0, kept.size()), kept, to + " after " + renames);
                fixture.log.abandon();
            }
        }
    }

    @Test
    void neverServesWhatLiesBehindALossWhenRecoveryIsKilled() throws IOException {
        LogFixture fixture = new LogFixture(parent);
        FaultyFileSystem files = new FaultyFileSystem(NativeFileSystem.INSTANCE);
        fixture.files = files;
        fixture.settings = LogFixture.small(200);
        fixture.open(0, true);
        for (int i = 0; i < 9; i++) fixture.append("v" + i);
        assertTrue(fixture.log.segments().size() >= 3);
        fixture.log.abandon();
        Path first = fixture.folder.resolve(FIRST + ".log");
        flip(first, (int) Files.size(first) - 1);
        // Dies when it has come to the segments that lie behind the torn one.
        FaultyFileSystem.Fault death =
                files.fail(Kind.FAILED, (operation, path) -> operation == Operation.RENAME);
        assertThrows(DiskException.class, () -> fixture.open(0, false));
        death.heal();
        fixture.open(0, false);
        List<String> kept = fixture.readAll(0);
        assertEquals(fixture.log.view().endOffset(), kept.size());
        assertEquals(1, fixture.log.segments().size());
        fixture.log.abandon();
    }

    @ParameterizedTest
    @ValueSource(ints = {16 << 10, 70 << 10, 200 << 10})
    void shouldReadADirtyByteAboutOnce(int batchBytes) throws IOException {
        LogFixture fixture = new LogFixture(parent);
        FaultyFileSystem files = new FaultyFileSystem(NativeFileSystem.INSTANCE);
        fixture.files = files;
        fixture.open(0, true);
        String value = "x".repeat(batchBytes);
        for (int i = 0; i < 16; i++) {
            fixture.append(TestBatches.idempotent(9, 0, i, fixture.clock.wallMs() + i, value));
        }
        fixture.log.abandon();
        Path log = fixture.folder.resolve(FIRST + ".log");
        long before = files.bytesRead(log);
        fixture.open(0, false);
        fixture.log.roll(false);
        fixture.append(TestBatches.idempotent(9, 0, 16, fixture.clock.wallMs() + 16, value));
        assertEquals(17, fixture.log.view().endOffset());
        double passes = (double) (files.bytesRead(log) - before) / Files.size(log);
        assertTrue(passes < 1.15, "passes " + passes);
        fixture.log.abandon();
    }

    private LogFixture filled(String name, int batches) {
        LogFixture fixture = new LogFixture(parent.resolve(name));
        fixture.settings = new SettingsBuilder().indexIntervalBytes(100).build();
        fixture.open(0, true);
        for (int i = 0; i < batches; i++) {
            fixture.append("v" + i);
        }
        return fixture;
    }

    private static void flip(Path file, int at) throws IOException {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer one = ByteBuffer.allocate(1);
            channel.read(one, at);
            one.put(0, (byte) (one.get(0) ^ 0x55)).flip();
            channel.write(one, at);
        }
    }

    private static List<Path> list(Path folder, String suffix) throws IOException {
        List<Path> found = new ArrayList<>();
        try (var files = Files.newDirectoryStream(folder, "*" + suffix)) {
            files.forEach(found::add);
        }
        return found;
    }
}
