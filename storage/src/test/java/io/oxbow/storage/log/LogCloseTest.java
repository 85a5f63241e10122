// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.oxbow.base.error.DiskException;
import io.oxbow.base.error.DiskException.Kind;
import io.oxbow.base.file.NativeFileSystem;
import io.oxbow.storage.doubles.FaultyFileSystem;
import io.oxbow.storage.doubles.FaultyFileSystem.Operation;
import io.oxbow.storage.doubles.UnsyncedFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A log that was closed is marked as closed in order, and the next start reads nothing of it: so
 * all that the start trusts must be on the disk by then.
 */
class LogCloseTest {
    @TempDir Path parent;
    private final FaultyFileSystem files = new FaultyFileSystem(NativeFileSystem.INSTANCE);
    private LogFixture fixture;
    private UnsyncedFiles unsynced;

    @BeforeEach
    void setUp() {
        fixture = new LogFixture(parent);
        fixture.settings = LogFixture.small(100_000);
        fixture.files = files;
        unsynced = new UnsyncedFiles(files);
        fixture.open(0, true);
        fixture.log.assignTopicId(Uuid.randomUuid());
    }

    private void append(int count) {
        for (int i = 0; i < count; i++) fixture.append("v" + i);
    }

    private void closeAndExpectAllSynced() {
        fixture.log.close();
        assertEquals(Set.of(), unsynced.names());
    }

    @Test
    void shouldSyncTheSmallFilesOfALogWhoseBatchesAreDurable() {
        fixture.append(TestBatches.idempotent(1, 0, 0, fixture.clock.wallMs(), "a"));
        append(10);
        fixture.log.flush();
        assertEquals(Set.of(), unsynced.names());
        closeAndExpectAllSynced();
        assertTrue(Files.exists(fixture.folder.resolve("00000000000000000011.snapshot")));
    }

    @Test
    void shouldSyncWhatATruncationCut() {
        append(30);
        fixture.log.flush();
        fixture.log.truncateTo(12);
        assertTrue(unsynced.names().contains("00000000000000000000.log"));
        closeAndExpectAllSynced();
    }

    @Test
    void shouldSyncATransactionIndexThatWasCutEmpty() {
        long now = fixture.clock.wallMs();
        append(3);
        fixture.append(TestBatches.transactional(7, 0, 0, now, "t"));
        fixture.append(TestBatches.marker(7, 0, true, now), AppendOrigin.TRANSACTION_MARKER);
        fixture.log.flush();
        assertEquals(Set.of(), unsynced.names());
        fixture.log.truncateTo(3);
        assertTrue(unsynced.names().contains("00000000000000000000.txnindex"));
        closeAndExpectAllSynced();
    }

    @Test
    void shouldSyncIndexesThatWereMadeAnew() throws IOException {
        append(20);
        fixture.log.roll(true);
        append(2);
        fixture.log.close();
        Files.delete(fixture.folder.resolve("00000000000000000000.index"));
        fixture.open(22, true);
        assertEquals("7:v7", fixture.readAll(7).getFirst());
        assertTrue(unsynced.names().contains("00000000000000000000.index"));
        closeAndExpectAllSynced();
    }

    @Test
    void shouldSyncAgainWhatAFlushThatFailedHadBegun() {
        append(30);
        FlushPlan slow = fixture.log.beginFlush();
        FaultyFileSystem.Fault dead =
                files.fail(
                        Kind.FAILED,
                        (operation, path) ->
                                operation == Operation.SYNC && path.toString().endsWith("index"));
        try {
            slow.sync();
        } catch (DiskException failed) {
            // Nobody was told yet.
        }
        dead.heal();
        closeAndExpectAllSynced();
    }

    @Test
    void shouldCostNoSyncIfNothingWasDone() {
        append(30);
        fixture.log.close();
        fixture.open(30, true);
        assertEquals(30, fixture.readAll(0).size());
        int before = unsynced.syncs();
        fixture.log.close();
        assertEquals(before, unsynced.syncs());
    }

    @Test
    void shouldCostNoSyncIfNothingWasEverWritten() {
        int before = unsynced.syncs();
        fixture.log.close();
        assertEquals(before, unsynced.syncs());
    }
}
