// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.lane;

import static io.oxbow.storage.lane.PoolFixture.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.oxbow.base.error.DiskException.Kind;
import io.oxbow.base.file.FileSystem.Need;
import io.oxbow.base.file.OpenFiles;
import io.oxbow.storage.doubles.FaultyFileSystem;
import io.oxbow.storage.doubles.FaultyFileSystem.Operation;
import io.oxbow.storage.doubles.OpenDescriptors;
import io.oxbow.storage.log.AppendOrigin;
import io.oxbow.storage.log.AppendOutcome.Appended;
import io.oxbow.storage.log.AppendOutcome.Reason;
import io.oxbow.storage.log.AppendOutcome.Refused;
import io.oxbow.storage.log.ReadHint;
import io.oxbow.storage.log.ReadOutcome;
import io.oxbow.storage.log.ReadRequest;
import io.oxbow.storage.log.SettingsBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What partitions cost in file descriptors, and what happens when there are none. */
class DescriptorsTest {
    private static final int PARTITIONS = 200;
    private static final int HOUSEKEEP_MS = 30_000;

    @TempDir Path root;
    private PoolFixture fixture;

    @BeforeEach
    void setUp() {
        fixture = new PoolFixture(root, 2);
        fixture.settings = new SettingsBuilder().indexIntervalBytes(64).build();
    }

    @AfterEach
    void tearDown() {
        fixture.close();
    }

    @Test
    void shouldHoldTheLogAloneOfAPartitionThatIsWrittenAndRead() throws IOException {
        OpenDescriptors.assumeKnown();
        writeAndRead(fixture.open(), PARTITIONS);
        writeAndRead(fixture.restart(), PARTITIONS);
        // A second one where it was asked whether bytes from before the start are cached.
        assertTrue(open(".log") <= 2 * PARTITIONS, open(".log") + " for logs");
        assertTrue(open("index") <= 64, open("index") + " for indexes");
        fixture.pass(HOUSEKEEP_MS);
        fixture.pass(HOUSEKEEP_MS);
        assertEquals(0, open(".log") + open("index"), "nobody touches them any more");
    }

    @Test
    void shouldServeMorePartitionsThanFilesMayBeOpen() throws IOException {
        OpenFiles logs = fixture.files.few(Need.STEADY, 20);
        OpenFiles indexes = fixture.files.few(Need.PASSING, 4);
        writeAndRead(fixture.open(), 60);
        writeAndRead(fixture.restart(), 60);
        assertTrue(logs.count() <= 20, logs.count() + " logs");
        assertTrue(indexes.count() <= 4, indexes.count() + " indexes");
        assertTrue(open(".log") <= 40, open(".log") + " for logs");
        assertTrue(open("index") <= 4, open("index") + " for indexes");
        fixture.crash();
        for (int i = 0; i < 60; i++) {
            assertEquals(4, fixture.read(fixture.log(i)).size());
        }
    }

    @Test
    void shouldRefuseAnAppendThatFindsNoDescriptorAndNothingElse() {
        fixture.open();
        HostedLog log = fixture.log(0);
        HostedLog other = fixture.log(1, fixture.id(0));
        assertInstanceOf(Appended.class, fixture.append(other, "other"));
        FaultyFileSystem.Fault none = noDescriptors("t-0");
        Refused refused = assertInstanceOf(Refused.class, fixture.append(log, "refused"));
        assertEquals(Reason.TOO_MANY_OPEN, refused.reason());
        assertInstanceOf(Appended.class, fixture.append(other, "other"));
        assertNothingIsBlamed(log);
        none.heal();
        assertInstanceOf(Appended.class, fixture.append(log, "taken"));
        assertEquals(List.of("taken"), fixture.read(log));
    }

    @Test
    void shouldFailAReadThatFindsNoDescriptorAndNothingElse() {
        fixture.open();
        fixture.append(fixture.log(0), "value");
        HostedLog log = fixture.restart().log(0);
        FaultyFileSystem.Fault none = noDescriptors("t-0");
        CompletableFuture<ReadOutcome> outcome = new CompletableFuture<>();
        log.readLater(
                new ReadRequest(0, 1000, true, ReadRequest.Isolation.LOG_END), outcome::complete);
        assertInstanceOf(ReadOutcome.Unavailable.class, await(outcome));
        fixture.pass(10_000);
        assertNothingIsBlamed(log);
        none.heal();
        assertEquals(List.of("value"), fixture.read(log));
    }

    @Test
    void shouldRecoverALogWhenDescriptorsAreThereAgain() {
        fixture.open();
        fixture.append(fixture.log(0), "value");
        fixture.pool.abandon();
        FaultyFileSystem.Fault none = noDescriptors("t-0");
        CompletableFuture<HostedLog> log = fixture.open().obtain(0, PoolFixture.UNASSIGNED);
        fixture.pass(10_000);
        assertTrue(!log.isDone(), "it waits");
        assertEquals(List.of(), fixture.listener.events);
        none.heal();
        // What is tried again is posted by a timer.
        while (!log.isDone()) fixture.pass(1_000);
        await(await(log).lead(1, true));
        assertEquals(List.of("value"), fixture.read(await(log)));
        assertNothingIsBlamed(await(log));
    }

    private void assertNothingIsBlamed(HostedLog log) {
        assertNull(log.unavailableBecause());
        assertEquals(List.of(), fixture.listener.events);
        assertEquals(DirectoryStatus.State.ONLINE, fixture.status(0).state());
        assertEquals(DirectoryStatus.State.ONLINE, fixture.status(1).state());
    }

    private FaultyFileSystem.Fault noDescriptors(String folder) {
        return fixture.files.fail(
                Kind.TOO_MANY_OPEN,
                (operation, path) ->
                        operation == Operation.OPEN && path.getParent().endsWith(folder));
    }

    private void writeAndRead(PoolFixture pool, int partitions) {
        List<HostedLog> logs = IntStream.range(0, partitions).mapToObj(pool::log).toList();
        List<ReadHint> hints = logs.stream().map(log -> new ReadHint()).toList();
        List<CompletableFuture<?>> answers = new ArrayList<>();
        for (HostedLog log : logs) {
            for (int i = 0; i < 2; i++) {
                answers.add(pool.send(log, AppendOrigin.CLIENT, "value" + i));
            }
        }
        answers.forEach(PoolFixture::await);
        for (int i = 0; i < partitions; i++) {
            ReadRequest request =
                    new ReadRequest(0, 1 << 20, true, ReadRequest.Isolation.HIGH_WATERMARK);
            // As a network thread asks first.
            if (logs.get(i).read(request, hints.get(i)) instanceof ReadOutcome.Records found) {
                found.slice().close();
            }
            assertEquals((int) logs.get(i).view().endOffset(), pool.read(logs.get(i)).size());
        }
    }

    private int open(String suffix) throws IOException {
        return (int)
                OpenDescriptors.under(root).stream().filter(name -> name.endsWith(suffix)).count();
    }
}
