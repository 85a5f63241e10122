// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.lane;

import static io.oxbow.storage.lane.PoolFixture.UNASSIGNED;
import static io.oxbow.storage.lane.PoolFixture.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.oxbow.base.error.DiskException;
import io.oxbow.base.error.DiskException.Kind;
import io.oxbow.base.file.NativeFileSystem;
import io.oxbow.storage.dir.CleanShutdownFormat;
import io.oxbow.storage.dir.OffsetCheckpoint;
import io.oxbow.storage.doubles.FaultyFileSystem;
import io.oxbow.storage.doubles.FaultyFileSystem.Operation;
import io.oxbow.storage.log.PartitionMetadataFormat;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Case U19: one partition in two directories; {@code d0} has [a], {@code d1} has [a, b]. */
class CopyChooserTest {
    private static final NativeFileSystem DISK = NativeFileSystem.INSTANCE;

    @TempDir Path root;
    private PoolFixture fixture;

    @BeforeEach
    void setUp() {
        fixture = new PoolFixture(root, 3);
        HostedLog log = fixture.open().log(0, fixture.id(0));
        fixture.append(log, "a");
        fixture.pool.close();
        Path first = folder(0);
        copy(first, root.resolve("aside"));
        fixture.open();
        fixture.append(fixture.log(0, fixture.id(0)), "b");
        fixture.pool.close();
        DISK.rename(first, folder(1));
        DISK.rename(root.resolve("aside"), first);
        for (Path each : fixture.directories) {
            DISK.delete(each.resolve(CleanShutdownFormat.FILE_NAME));
        }
        fixture.pool = null;
    }

    @AfterEach
    void tearDown() {
        fixture.close();
    }

    @Test
    void shouldKeepTheCopyThatTheMetadataNames() {
        fixture.open();
        HostedLog kept = await(fixture.obtain(0, fixture.id(0)));
        assertEquals(fixture.id(0), kept.directoryId());
        assertEquals(List.of("a"), read(kept));
        assertEquals(1, setAside().size());
        assertTrue(DISK.exists(folder(0)));
        assertEquals(1, fixture.status(0).logs());
        assertEquals(0, fixture.status(1).logs());
    }

    @Test
    void shouldKeepTheLongerCopyWhenTheMetadataNamesNone() {
        fixture.open();
        HostedLog kept = await(fixture.obtain(0, UNASSIGNED));
        assertEquals(fixture.id(1), kept.directoryId());
        assertEquals(List.of("a", "b"), read(kept));
        assertEquals(1, setAside().size());
    }

    @Test
    void neverServesAnOlderCopyBecauseTheNewerCannotBeOpened() {
        fixture.open();
        FaultyFileSystem.Fault fault = failOpening(1);
        DiskException refused =
                assertThrows(DiskException.class, () -> await(fixture.obtain(0, UNASSIGNED)));
        assertTrue(refused.getMessage().contains(folder(1).toString()), refused.getMessage());
        assertEquals(List.of(), setAside());
        assertTrue(fixture.pool.find(PoolFixture.partition(0)).isEmpty());
        fault.heal();
        assertEquals(List.of("a", "b"), read(await(fixture.obtain(0, UNASSIGNED))));
    }

    @Test
    void neverServesAnotherCopyWhenTheOneThatTheMetadataNamesCannotBeOpened() {
        fixture.open();
        failOpening(0);
        Uuid named = fixture.id(0);
        assertThrows(DiskException.class, () -> await(fixture.obtain(0, named)));
        assertEquals(List.of(), setAside());
    }

    @Test
    void shouldSetAsideACopyThatCannotBeOpenedWhenTheMetadataNamesTheOther() {
        fixture.open();
        failOpening(1);
        assertEquals(List.of("a"), read(await(fixture.obtain(0, fixture.id(0)))));
        assertEquals(1, setAside().size());
    }

    @Test
    void shouldPreferACopyToOneThatHasLostItsFiles() {
        new OffsetCheckpoint(DISK, fixture.directories.get(1), OffsetCheckpoint.HIGH_WATERMARK)
                .write(Map.of(PoolFixture.partition(0), 2L));
        for (Path each : DISK.list(folder(1))) {
            if (each.toString().endsWith(".log")) DISK.delete(each);
        }
        fixture.open();
        assertEquals(List.of("a"), read(await(fixture.obtain(0, UNASSIGNED))));
        assertEquals(1, setAside().size());
    }

    @Test
    void shouldSetAsideACopyOfAnotherTopicThatCannotBeOpened() {
        DISK.writeAtomically(
                folder(1).resolve(PartitionMetadataFormat.FILE_NAME),
                PartitionMetadataFormat.encode(Uuid.randomUuid()));
        fixture.open();
        failOpening(1);
        assertEquals(List.of("a"), read(await(fixture.obtain(0, UNASSIGNED))));
        assertEquals(1, setAside().size());
    }

    @Test
    void neverMarksADirectoryAsCleanWhileItHoldsACopyThatWasNotRecovered() {
        fixture.open();
        fixture.pool.close();
        assertFalse(DISK.exists(fixture.directories.get(0).resolve(CleanShutdownFormat.FILE_NAME)));
        assertTrue(DISK.exists(fixture.directories.get(2).resolve(CleanShutdownFormat.FILE_NAME)));
        fixture.pool = null;
    }

    private FaultyFileSystem.Fault failOpening(int directory) {
        return fixture.files.fail(
                Kind.FAILED,
                (operation, path) ->
                        operation == Operation.READ
                                && path.startsWith(folder(directory))
                                && path.toString().endsWith(".log"));
    }

    private Path folder(int directory) {
        return fixture.directories.get(directory).resolve("t-0");
    }

    private List<String> read(HostedLog log) {
        await(log.lead(1, true));
        return fixture.read(log);
    }

    private List<Path> setAside() {
        return fixture.directories.stream()
                .flatMap(each -> DISK.list(each).stream())
                .filter(each -> each.toString().endsWith("-stray"))
                .toList();
    }

    private static void copy(Path from, Path to) {
        DISK.createDirectories(to);
        for (Path each : DISK.list(from)) {
            DISK.writeAtomically(to.resolve(each.getFileName()), DISK.readAll(each));
        }
    }
}
