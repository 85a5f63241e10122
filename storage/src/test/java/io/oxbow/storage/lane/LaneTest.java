// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.lane;

import static io.oxbow.storage.lane.PoolFixture.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.oxbow.base.error.BugException;
import io.oxbow.base.error.DiskException.Kind;
import io.oxbow.storage.dir.CleanShutdownFormat;
import io.oxbow.storage.doubles.FaultyFileSystem.Operation;
import io.oxbow.storage.log.AppendOrigin;
import io.oxbow.storage.log.AppendOutcome;
import io.oxbow.storage.log.AppendOutcome.Appended;
import io.oxbow.storage.log.AppendOutcome.Reason;
import io.oxbow.storage.log.AppendOutcome.Refused;
import io.oxbow.storage.log.AppendRequest;
import io.oxbow.storage.log.LogSettings;
import io.oxbow.storage.log.ReadRequest;
import io.oxbow.storage.log.SettingsBuilder;
import io.oxbow.storage.log.TestBatches;
import io.oxbow.storage.log.TimestampOffset;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LaneTest {
    private static final LogSettings SYNCED = new SettingsBuilder().flushMessages(1).build();

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
    void shouldWriteAllAppendsOfATurnAtOnceAndSyncThemTogether() {
        fixture.settings = SYNCED;
        HostedLog log = fixture.open().log(0);
        fixture.append(log, "first");
        CountDownLatch release = hold(log.lane());
        List<CompletableFuture<AppendOutcome>> answers = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            answers.add(fixture.send(log, AppendOrigin.CLIENT, "v" + i));
        }
        int syncs = fixture.files.count(Operation.SYNC);
        LaneMetrics before = log.lane().metrics();
        release.countDown();
        for (int i = 0; i < 100; i++) {
            Appended appended = assertInstanceOf(Appended.class, await(answers.get(i)));
            assertEquals(i + 1, appended.baseOffset());
        }
        LaneMetrics after = log.lane().metrics();
        assertEquals(1, after.writes() - before.writes());
        assertEquals(1, after.syncs() - before.syncs());
        assertEquals(100, after.appends() - before.appends());
        // A flush syncs the segment and its indexes, once for all hundred.
        assertTrue(fixture.files.count(Operation.SYNC) - syncs <= 4);
        assertEquals(101, log.view().recoveryPoint());
    }

    @Test
    void shouldSyncTheLogsOfATurnSideBySide() {
        fixture.settings = SYNCED;
        HostedLog one = fixture.open().log(0, fixture.id(0));
        HostedLog other = fixture.log(1, fixture.id(0));
        fixture.append(one, "first");
        fixture.append(other, "first");
        CountDownLatch release = hold(one.lane());
        CompletableFuture<AppendOutcome> answer = fixture.send(one, AppendOrigin.CLIENT, "v");
        CompletableFuture<AppendOutcome> otherAnswer =
                fixture.send(other, AppendOrigin.CLIENT, "v");
        // Passes only if the sync of each log begins before the other's has ended.
        CyclicBarrier both = new CyclicBarrier(2);
        fixture.files.failTimes(
                1,
                Kind.FAILED,
                (operation, path) ->
                        operation == Operation.SYNC
                                && path.toString().endsWith(".log")
                                && !meets(both));
        release.countDown();
        assertInstanceOf(Appended.class, await(answer));
        assertInstanceOf(Appended.class, await(otherAnswer));
    }

    private static boolean meets(CyclicBarrier barrier) {
        try {
            barrier.await(10, TimeUnit.SECONDS);
            return true;
        } catch (InterruptedException | BrokenBarrierException | TimeoutException alone) {
            return false;
        }
    }

    @Test
    void shouldMakeRolledSegmentsDurableWithTheCheckpoint() {
        fixture.settings = new SettingsBuilder().segmentBytes(200).build();
        HostedLog log = fixture.open().log(0);
        for (int i = 0; i < 20; i++) fixture.append(log, "value " + i);
        assertEquals(0, log.view().recoveryPoint());
        fixture.time.pass(PoolFixture.CHECKPOINT_MS);
        while (log.view().recoveryPoint() < 20) fixture.settle();
        int reads = fixture.files.count(Operation.SYNC);
        fixture.pass(2 * PoolFixture.CHECKPOINT_MS);
        fixture.append(log, "small");
        fixture.pass(PoolFixture.CHECKPOINT_MS);
        assertEquals(20, log.view().recoveryPoint(), "one small batch is not worth a sync");
        assertTrue(reads > 0);
    }

    @Test
    void shouldAnswerInTheOrderOfArrival() {
        HostedLog one = fixture.open().log(0, fixture.id(0));
        HostedLog other = fixture.log(1, fixture.id(0));
        CountDownLatch release = hold(one.lane());
        List<Integer> order = new ArrayList<>();
        List<CompletableFuture<?>> answers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            int number = i;
            HostedLog target = i % 3 == 0 ? one : other;
            answers.add(
                    fixture.send(target, AppendOrigin.CLIENT, "v")
                            .thenAccept(done -> order.add(number)));
        }
        release.countDown();
        answers.forEach(answer -> await(answer));
        for (int i = 0; i < 20; i++) assertEquals(i, order.get(i));
    }

    @Test
    void shouldRefuseWhenItsInboxIsFullAndCallWhenThereIsRoom() {
        fixture.inboxCapacity = 8;
        HostedLog log = fixture.open().log(0);
        CountDownLatch release = hold(log.lane());
        int taken = 0;
        AtomicInteger answered = new AtomicInteger();
        while (log.append(request("v", outcome -> answered.incrementAndGet()))) taken++;
        assertTrue(taken <= 8, "took " + taken);
        CompletableFuture<Boolean> room = new CompletableFuture<>();
        log.lane().whenRoom(() -> room.complete(log.append(request("after", outcome -> {}))));
        assertFalse(room.isDone());
        release.countDown();
        assertTrue(await(room));
        assertEquals(taken, answered.get());
    }

    @Test
    void shouldKeepTheOrderOfOneThreadWhenItsInboxIsFull() {
        fixture.inboxCapacity = 4;
        HostedLog log = fixture.open().log(0);
        fixture.append(log, "a", "b", "c");
        CountDownLatch release = hold(log.lane());
        while (log.append(request("v", outcome -> {}))) {}
        // Queues beside the full inbox, so the append behind it must not overtake.
        CompletableFuture<Void> truncated = log.truncateTo(1);
        assertFalse(log.append(request("late", outcome -> {})));
        release.countDown();
        await(truncated);
        assertEquals(1, log.view().endOffset());
    }

    @Test
    void shouldCallBackAtOnceWhenThereIsRoomAlready() {
        HostedLog log = fixture.open().log(0);
        CompletableFuture<String> called = new CompletableFuture<>();
        log.lane().whenRoom(() -> called.complete(Thread.currentThread().getName()));
        assertTrue(await(called).startsWith("oxbow-lane-"));
    }

    @Test
    void shouldTellAWatcherOnceForEachRegistration() {
        HostedLog log = fixture.open().log(0);
        AtomicInteger told = new AtomicInteger();
        AtomicInteger forgotten = new AtomicInteger();
        LogWatcher watcher = moved -> told.incrementAndGet();
        LogWatcher unwatched = moved -> forgotten.incrementAndGet();
        log.watch(watcher);
        log.watch(unwatched);
        log.unwatch(unwatched);
        fixture.append(log, "one");
        fixture.append(log, "two");
        fixture.settle();
        assertEquals(1, told.get());
        assertEquals(0, forgotten.get());
        log.watch(watcher);
        fixture.append(log, "three");
        fixture.settle();
        assertEquals(2, told.get());
    }

    @Test
    void shouldTellWatchersOnlyWhenTheHighWatermarkMoves() {
        HostedLog log = fixture.open().log(0);
        await(log.lead(1, false));
        AtomicInteger told = new AtomicInteger();
        log.watch(moved -> told.incrementAndGet());
        fixture.append(log, "one", "two");
        fixture.settle();
        assertEquals(0, told.get());
        assertEquals(0, log.view().highWatermark());
        await(log.raiseHighWatermark(1));
        fixture.settle();
        assertEquals(1, told.get());
        await(log.raiseHighWatermark(99));
        assertEquals(2, log.view().highWatermark());
    }

    @Test
    void shouldRefuseAppendsThatAnOlderLeaderAccepted() {
        HostedLog log = fixture.open().log(0);
        await(log.lead(2, true));
        Refused refused = assertInstanceOf(Refused.class, fixture.append(log, "old"));
        assertEquals(Reason.NOT_LEADER, refused.reason());
        assertEquals(0, log.view().endOffset());
    }

    @Test
    void shouldNotCountAsCommittedWhatItReplicatesOnceAnotherBrokerLeads() {
        HostedLog log = fixture.open().log(0);
        assertTrue(log.ledSince(1));
        AtomicInteger told = new AtomicInteger();
        log.watch(moved -> told.incrementAndGet());
        await(log.follow(2));
        assertEquals(1, told.get());
        assertFalse(log.ledSince(1));
        Refused refused = assertInstanceOf(Refused.class, fixture.append(log, "late"));
        assertEquals(Reason.NOT_LEADER, refused.reason());
        assertInstanceOf(
                Appended.class, await(fixture.send(log, AppendOrigin.REPLICATION, "copied")));
        assertEquals(1, log.view().endOffset());
        assertEquals(0, log.view().highWatermark());
        await(log.lead(3, true));
        assertEquals(1, log.view().highWatermark());
        assertFalse(log.ledSince(1), "others may have been at its offsets in between");
        assertTrue(log.ledSince(3));
    }

    @Test
    void shouldHoldNobodyElseWhileADiskStalls() throws Exception {
        HostedLog slow = fixture.open().log(0, fixture.id(0));
        HostedLog fine = fixture.log(1, fixture.id(1));
        var stall =
                fixture.files.stall(
                        (operation, path) ->
                                operation == Operation.WRITE
                                        && path.startsWith(fixture.directories.get(0)));
        CompletableFuture<AppendOutcome> stuck = fixture.send(slow, AppendOrigin.CLIENT, "s");
        for (int i = 0; i < 50; i++) {
            assertInstanceOf(Appended.class, fixture.append(fine, "v" + i));
        }
        assertFalse(stuck.isDone());
        assertEquals(2, fixture.pool.status().size());
        fixture.time.pass(700);
        LaneMetrics stalled = fixture.pool.metrics().get(0);
        while (fixture.pool.metrics().get(0).busyMs() == 0) {
            // The lane thread may not have come as far as the disk yet.
            fixture.time.pass(700);
        }
        assertEquals(fixture.directories.get(0), stalled.directory());
        stall.heal();
        assertInstanceOf(Appended.class, stuck.get(30, TimeUnit.SECONDS));
    }

    @Test
    void shouldMeasureASlowDiskAndNameIt() {
        HostedLog slow = fixture.open().log(0, fixture.id(0));
        HostedLog fine = fixture.log(1, fixture.id(1));
        var delay =
                fixture.files.add(
                        (operation, path) ->
                                operation == Operation.WRITE && path.startsWith(root.resolve("d0")),
                        () -> fixture.time.pass(500));
        for (int i = 0; i < 20; i++) {
            fixture.append(slow, "v" + i);
            fixture.append(fine, "v" + i);
        }
        delay.heal();
        List<LaneMetrics> metrics = fixture.pool.metrics();
        assertTrue(metrics.get(0).writeP99Micros() >= 500_000, metrics.toString());
        assertTrue(metrics.get(1).writeP99Micros() < 100_000, metrics.toString());
    }

    @Test
    void shouldRefuseAndNotHangAfterTheEnd() {
        HostedLog log = fixture.open().log(0);
        fixture.pool.close();
        Refused refused = assertInstanceOf(Refused.class, fixture.append(log, "late"));
        assertEquals(Reason.NOT_LEADER, refused.reason());
        assertTrue(log.truncateTo(0).isCompletedExceptionally());
        CompletableFuture<Boolean> room = new CompletableFuture<>();
        log.lane().whenRoom(() -> room.complete(true));
        assertTrue(await(room));
        fixture.pool = null;
    }

    @Test
    void shouldAnswerEverybodyOnceAndWriteNothingMoreAfterABug() {
        HostedLog log = fixture.open().log(0);
        fixture.append(log, "before");
        CountDownLatch release = hold(log.lane());
        AtomicInteger answers = new AtomicInteger();
        AtomicInteger refusals = new AtomicInteger();
        log.append(
                request(
                        "first",
                        outcome -> {
                            answers.incrementAndGet();
                            throw new AssertionError("nobody catches this");
                        }));
        log.append(
                request(
                        "second",
                        outcome -> {
                            answers.incrementAndGet();
                            if (outcome instanceof Refused) refusals.incrementAndGet();
                        }));
        release.countDown();
        Refused refused = assertInstanceOf(Refused.class, fixture.append(log, "after"));
        assertEquals(Reason.DIRECTORY_OFFLINE, refused.reason());
        assertEquals(2, answers.get());
        assertEquals(1, refusals.get());
        Path directory = log.lane().directory();
        fixture.pool.close();
        // The lane tells it after its last answer.
        assertTrue(fixture.listener.events.contains("nothing left"), "the process must end");
        fixture.pool = null;
        assertFalse(fixture.files.exists(directory.resolve(CleanShutdownFormat.FILE_NAME)));
    }

    @Test
    void shouldRunAMessageThatFailsOnceAlsoWhenItCameBesideAFullInbox() {
        fixture.inboxCapacity = 4;
        HostedLog log = fixture.open().log(0);
        CountDownLatch release = hold(log.lane());
        while (log.append(request("v", outcome -> {}))) {}
        AtomicInteger runs = new AtomicInteger();
        log.lane()
                .post(
                        () -> {
                            runs.incrementAndGet();
                            throw new IllegalStateException("nobody catches this");
                        });
        CompletableFuture<Integer> after = log.lane().call(runs::get);
        release.countDown();
        assertEquals(1, await(after));
        assertTrue(fixture.listener.events.contains("nothing left"), "the process must end");
    }

    @Test
    void shouldStopWhenABackgroundSyncMeetsAnError() {
        fixture.settings = new SettingsBuilder().segmentBytes(200).build();
        HostedLog log = fixture.open().log(0);
        for (int i = 0; i < 20; i++) fixture.append(log, "value " + i);
        fixture.files.add(
                (operation, path) ->
                        operation == Operation.SYNC && path.toString().contains("t-0/"),
                () -> {
                    throw new AssertionError("nobody catches this");
                });
        fixture.settle();
        CompletableFuture<Void> gone = new CompletableFuture<>();
        log.watch(moved -> gone.complete(null));
        fixture.time.pass(PoolFixture.CHECKPOINT_MS);
        await(gone);
        fixture.settle();
        assertTrue(fixture.listener.events.contains("nothing left"), "the process must end");
    }

    @Test
    void shouldAnswerAReadThatMeetsAnError() {
        HostedLog log = fixture.open().log(0);
        fixture.append(log, "value");
        var fault =
                fixture.files.add(
                        (operation, path) ->
                                operation == Operation.READ
                                        && path.toString().matches(".*t-0/.*(log|index)"),
                        () -> {
                            throw new AssertionError("nobody catches this");
                        });
        fixture.restart();
        CompletableFuture<TimestampOffset> found = fixture.log(0).offsetOfMaxTimestamp();
        assertThrows(BugException.class, () -> await(found));
        fault.heal();
        assertEquals(List.of("value"), fixture.read(fixture.log(0)));
    }

    @Test
    void shouldServeReadersAfterOneOfThemFailed() {
        HostedLog log = fixture.open().log(0);
        fixture.append(log, "value");
        for (int i = 0; i < 20; i++) {
            log.readLater(
                    new ReadRequest(0, 100, true, ReadRequest.Isolation.LOG_END),
                    outcome -> {
                        throw new IllegalStateException("a reader's caller fails");
                    });
        }
        assertEquals(List.of("value"), fixture.read(log));
        // Another reader may have taken its task and not counted it down yet.
        assertTimeoutPreemptively(
                Duration.ofSeconds(30),
                () -> {
                    while (log.lane().readers().waiting() != 0) Thread.onSpinWait();
                });
    }

    private AppendRequest request(String value, AppendRequest.Completion completion) {
        return new AppendRequest(
                TestBatches.checked(TestBatches.plain(fixture.time.wallMs(), value)),
                AppendOrigin.CLIENT,
                1,
                completion);
    }

    /** Keeps the lane from taking anything until the latch is counted down. */
    private static CountDownLatch hold(Lane lane) {
        CountDownLatch release = new CountDownLatch(1);
        CompletableFuture<Void> held = new CompletableFuture<>();
        lane.post(
                () -> {
                    held.complete(null);
                    try {
                        release.await();
                    } catch (InterruptedException stopped) {
                        Thread.currentThread().interrupt();
                    }
                });
        await(held);
        return release;
    }
}
