// SPDX-License-Identifier: Apache-2.0
package io.oxbow.controller;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.oxbow.base.error.RetriableException;
import io.oxbow.base.thread.Threads;
import io.oxbow.base.time.Scheduler;
import io.oxbow.metadata.ControllerGateway.RequestContext;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.common.message.ListPartitionReassignmentsRequestData;
import org.apache.kafka.common.message.ListPartitionReassignmentsResponseData;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.raft.Batch;
import org.apache.kafka.raft.BatchReader;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.apache.kafka.server.common.MetadataVersion;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The thread and its inbox; the logic is {@link ControllerLoopTest}'s. */
class ControllerTest {
    private final SimRaftClient raft = new SimRaftClient(1).committingAtOnce();
    private final CompletableFuture<Throwable> fatal = new CompletableFuture<>();
    private final AtomicReference<Runnable> tick = new AtomicReference<>();
    private final SimClock clock = new SimClock();
    private final Controller controller =
            Controller.start(
                    SimController.config(MetadataVersion.latestProduction()),
                    raft,
                    new SimConfigRules(),
                    new Controller.Surroundings(
                            clock,
                            new ManualScheduler(),
                            Threads.SYSTEM,
                            new Random(0),
                            fatal::complete));

    @AfterEach
    void close() {
        controller.close();
    }

    private CompletableFuture<ApiMessage> send(ApiMessage request) {
        return controller
                .gateway()
                .send(
                        new RequestContext(
                                "User:test",
                                "test",
                                (short) 1,
                                clock.nanos() + TimeUnit.MINUTES.toNanos(1)),
                        request);
    }

    private CompletableFuture<ApiMessage> read() {
        return send(new ListPartitionReassignmentsRequestData().setTopics(null));
    }

    @Test
    void shouldAnswerOnceActive() throws Exception {
        raft.becomeLeader(1);
        assertInstanceOf(
                ListPartitionReassignmentsResponseData.class, read().get(20, TimeUnit.SECONDS));
    }

    @Test
    void shouldAnswerManyFromManyThreads() throws Exception {
        raft.becomeLeader(1);
        List<CompletableFuture<ApiMessage>> replies = new ArrayList<>();
        List<Thread> askers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            int asker = i;
            askers.add(
                    Thread.ofVirtual()
                            .start(
                                    () -> {
                                        for (int n = 0; n < 250; n++) {
                                            CompletableFuture<ApiMessage> reply =
                                                    send(
                                                            Requests.createTopics(
                                                                    Requests.topic(
                                                                            asker + "-" + n,
                                                                            1,
                                                                            1)));
                                            synchronized (replies) {
                                                replies.add(reply);
                                            }
                                        }
                                    }));
        }
        for (Thread asker : askers) asker.join();
        for (CompletableFuture<ApiMessage> reply : replies) {
            assertEquals(
                    org.apache.kafka.common.protocol.Errors.INVALID_REPLICATION_FACTOR,
                    Replies.firstError(reply.get(20, TimeUnit.SECONDS)),
                    "no broker is registered");
        }
        assertEquals(1_000, replies.size());
    }

    @Test
    void shouldRefuseWhileAnotherNodeLeads() {
        ExecutionException failure =
                assertThrows(ExecutionException.class, () -> read().get(20, TimeUnit.SECONDS));
        assertInstanceOf(RetriableException.class, failure.getCause());
    }

    @Test
    void shouldLookAtItsClockWhenTheTimerSaysSo() throws Exception {
        raft.becomeLeader(1);
        var _ = read().get(20, TimeUnit.SECONDS);
        int before = raft.records().size();
        clock.advanceMs(600);
        tick.get().run();
        var _ = read().get(20, TimeUnit.SECONDS);
        assertEquals(before + 1, raft.records().size(), "an idle record");
    }

    @Test
    void shouldEndWhenACommitCannotBe() throws Exception {
        raft.becomeLeader(1);
        var _ = read().get(20, TimeUnit.SECONDS);
        // A commit of records that this leader never appended.
        raft.commitFromOther(raft.records().subList(1, 3));
        CompletableFuture<ApiMessage> after = read();
        assertThrows(ExecutionException.class, () -> after.get(20, TimeUnit.SECONDS));
        assertNotNull(fatal.get(20, TimeUnit.SECONDS));
    }

    @Test
    void shouldResignAndRefuseWhenClosed() throws Exception {
        raft.becomeLeader(1);
        var _ = read().get(20, TimeUnit.SECONDS);
        controller.close();
        assertEquals(1, raft.resignedEpoch());
        assertTrue(read().isCompletedExceptionally());
    }

    @Test
    void shouldLoseNoCommitWhileItsThreadStandsStill() {
        AtomicReference<Runnable> thread = new AtomicReference<>();
        SimRaftClient other = new SimRaftClient(1).committingAtOnce();
        Controller still =
                Controller.start(
                        SimController.config(MetadataVersion.latestProduction()),
                        other,
                        new SimConfigRules(),
                        new Controller.Surroundings(
                                clock,
                                new ManualScheduler(),
                                new HeldThreads(thread),
                                new Random(0),
                                fatal::complete));
        int commits = 40_000;
        AtomicInteger next = new AtomicInteger();
        for (int i = 0; i < commits; i++) {
            int expected = i;
            still.handleCommit(
                    new EmptyReader(
                            () -> {
                                assertEquals(expected, next.getAndIncrement());
                                if (expected == commits - 1) throw new AllSeen();
                            }));
        }
        thread.get().run(); // until the last commit
        assertEquals(commits, next.get());
        assertInstanceOf(AllSeen.class, fatal.join());
        still.close();
    }

    /** Ends the thread's loop. */
    private static final class AllSeen extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** A commit without records, which tells when it is read. */
    private record EmptyReader(Runnable whenRead) implements BatchReader<ApiMessageAndVersion> {
        @Override
        public long baseOffset() {
            return 0;
        }

        @Override
        public OptionalLong lastOffset() {
            return OptionalLong.empty();
        }

        @Override
        public boolean hasNext() {
            whenRead.run();
            return false;
        }

        @Override
        public Batch<ApiMessageAndVersion> next() {
            throw new NoSuchElementException();
        }

        @Override
        public void close() {}
    }

    /** Threads that the test runs. */
    private record HeldThreads(AtomicReference<Runnable> held) implements Threads {
        @Override
        public Thread start(String name, Runnable body) {
            held.set(body);
            return Thread.currentThread();
        }

        @Override
        public Thread startTask(String name, Runnable body) {
            throw new UnsupportedOperationException("the controller has no tasks");
        }
    }

    /** Fires when the test says so. */
    private final class ManualScheduler implements Scheduler {
        @Override
        public Timer after(long delayMs, Runnable action) {
            throw new UnsupportedOperationException("the controller has no single timers");
        }

        @Override
        public Timer every(long periodMs, Runnable action) {
            tick.set(action);
            return () -> tick.set(() -> {});
        }
    }
}
