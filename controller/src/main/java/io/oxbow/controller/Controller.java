// SPDX-License-Identifier: Apache-2.0
package io.oxbow.controller;

import io.oxbow.base.error.RetriableException;
import io.oxbow.base.thread.Inbox;
import io.oxbow.base.thread.Threads;
import io.oxbow.base.time.Clock;
import io.oxbow.base.time.Scheduler;
import io.oxbow.controller.decide.ConfigRules;
import io.oxbow.controller.decide.ControllerConfig;
import io.oxbow.metadata.ControllerGateway;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.raft.BatchReader;
import org.apache.kafka.raft.LeaderAndEpoch;
import org.apache.kafka.raft.RaftClient;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.apache.kafka.snapshot.SnapshotReader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The controller of this node: a thread, its inbox, and what comes in from raft, from the timer and
 * from whoever asks. {@link ControllerLoop} says what happens with each.
 *
 * <p>Lifecycle: {@link #start} registers with raft; {@link #close} resigns, answers everybody who
 * waits, and ends the thread. Raft must be closed after it.
 *
 * <p>Bounds: {@value #MAX_REQUESTS} requests may wait, more are refused as retriable. Raft's events
 * are never refused, since none may be lost; those that find the inbox full queue beside it. They
 * are bounded by raft: at most one read of the log under way, and one commit for each append that
 * is not committed, of which requests make at most about {@value #MAX_OUTSTANDING}.
 */
public final class Controller
        implements RaftClient.Listener<ApiMessageAndVersion>, ControllerGateway, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Controller.class);
    private static final int MAX_REQUESTS = 4_096;
    private static final int MAX_OUTSTANDING = 1_024;
    private static final int INBOX = 16_384;

    /** Most events between two hand-overs to raft. */
    private static final int TURN = 1_000;

    private final RaftClient<ApiMessageAndVersion> raft;
    private final ControllerLoop loop;
    private final Inbox<Event> inbox = new Inbox<>(INBOX);

    /**
     * What found the inbox full; any thread adds, the controller's takes when the inbox is empty.
     */
    private final ConcurrentLinkedQueue<Event> overflow = new ConcurrentLinkedQueue<>();

    private final Consumer<Throwable> onFatal;
    private final CountDownLatch ended = new CountDownLatch(1);

    /** Requests accepted and not decided: raised by whoever asks, lowered by the thread. */
    private final AtomicInteger requests = new AtomicInteger();

    /** True while a tick waits in the inbox, so that a slow thread is not sent a pile of them. */
    private final AtomicBoolean ticking = new AtomicBoolean();

    /** Written by whoever closes or by the thread when it dies, read by both: no more events. */
    private volatile boolean closed;

    /** Requests held back while too many appends are not committed. */
    private final ArrayDeque<Event.Request> held = new ArrayDeque<>();

    private Scheduler.Timer timer;

    private Controller(
            RaftClient<ApiMessageAndVersion> raft,
            ControllerLoop loop,
            Consumer<Throwable> onFatal) {
        this.raft = raft;
        this.loop = loop;
        this.onFatal = onFatal;
    }

    /**
     * What the controller takes from its surroundings.
     *
     * @param random for topic ids and where placements begin
     * @param onFatal called once, on {@code oxbow-controller}, when it cannot go on; the process
     *     should end
     */
    public record Surroundings(
            Clock clock,
            Scheduler scheduler,
            Threads threads,
            RandomGenerator random,
            Consumer<Throwable> onFatal) {}

    /**
     * Starts the controller; it becomes active when raft says so.
     *
     * @param raft not yet polled or already running; the controller registers itself
     */
    public static Controller start(
            ControllerConfig config,
            RaftClient<ApiMessageAndVersion> raft,
            ConfigRules rules,
            Surroundings surroundings) {
        ControllerLoop loop =
                new ControllerLoop(
                        config, raft, rules, surroundings.clock(), surroundings.random());
        Controller controller = new Controller(raft, loop, surroundings.onFatal());
        controller.timer =
                surroundings.scheduler().every(config.timing().tickMs(), controller::tick);
        surroundings.threads().start("oxbow-controller", controller::run);
        raft.register(controller);
        return controller;
    }

    /** The way to this controller; answers only while it is the active one. */
    public ControllerGateway gateway() {
        return this;
    }

    @Override
    public CompletableFuture<ApiMessage> send(RequestContext context, ApiMessage request) {
        CompletableFuture<ApiMessage> future = new CompletableFuture<>();
        if (closed) {
            future.completeExceptionally(closedNow());
        } else if (requests.incrementAndGet() > MAX_REQUESTS) {
            requests.decrementAndGet();
            future.completeExceptionally(
                    new RetriableException(
                            "The controller has " + MAX_REQUESTS + " requests waiting. Ask again"));
        } else {
            offer(new Event.Request(context, request, future));
            // The thread may have ended in between, and then nobody takes it out.
            if (closed) future.completeExceptionally(closedNow());
        }
        return future;
    }

    @Override
    public void handleCommit(BatchReader<ApiMessageAndVersion> reader) {
        if (closed) reader.close();
        else offer(new Event.Commit(reader));
    }

    @Override
    public void handleLoadSnapshot(SnapshotReader<ApiMessageAndVersion> reader) {
        if (closed) reader.close();
        else offer(new Event.Snapshot(reader));
    }

    @Override
    public void handleLoadBootstrap(SnapshotReader<ApiMessageAndVersion> reader) {
        if (closed) reader.close();
        else offer(new Event.Bootstrap(reader));
    }

    @Override
    public void handleLeaderChange(LeaderAndEpoch leader) {
        if (!closed) offer(new Event.Leader(leader));
    }

    /** Resigns, fails what waits, and returns when the thread has ended (at most 10 s). */
    @Override
    public void close() {
        timer.cancel();
        raft.unregister(this);
        closed = true;
        inbox.wake();
        try {
            if (!ended.await(10, TimeUnit.SECONDS)) {
                log.warn("oxbow-controller has not ended within 10 s");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void tick() {
        if (!closed && ticking.compareAndSet(false, true)) offer(new Event.Tick());
    }

    /** Takes every event, in the order in which its thread offers them. */
    private void offer(Event event) {
        if (overflow.isEmpty() && inbox.offer(event)) return;
        overflow.add(event);
        // Full: the thread will come by. Not full any more: this makes it look.
        inbox.offer(new Event.Tick());
    }

    /** Handles some of what waits; returns how much. */
    private int drain() {
        int handled = inbox.drain(this::handle, TURN);
        if (handled == TURN) return handled;
        // What is in the inbox came before what is beside it.
        for (Event next; handled < TURN && (next = overflow.poll()) != null; handled++) {
            handle(next);
        }
        return handled;
    }

    private void run() {
        try {
            while (!closed) {
                if (drain() == 0 && held.isEmpty()) {
                    inbox.await(TimeUnit.SECONDS.toNanos(10));
                }
                while (!held.isEmpty() && loop.outstanding() < MAX_OUTSTANDING) {
                    decide(held.pollFirst());
                }
                loop.flush();
                if (!held.isEmpty()) inbox.await(TimeUnit.SECONDS.toNanos(10));
            }
            loop.close();
        } catch (Throwable fatal) {
            closed = true;
            log.error("The controller cannot go on", fatal);
            onFatal.accept(fatal);
        } finally {
            inbox.drain(this::refuse, Integer.MAX_VALUE);
            overflow.forEach(this::refuse);
            held.forEach(this::refuse);
            ended.countDown();
        }
    }

    private void handle(Event event) {
        switch (event) {
            case Event.Request request -> {
                if (held.isEmpty() && loop.outstanding() < MAX_OUTSTANDING) decide(request);
                else held.addLast(request);
            }
            case Event.Tick tick -> {
                ticking.set(false);
                loop.handle(tick);
            }
            default -> loop.handle(event);
        }
    }

    private void decide(Event.Request request) {
        requests.decrementAndGet();
        loop.handle(request);
    }

    private void refuse(Event event) {
        switch (event) {
            case Event.Request request -> request.future().completeExceptionally(closedNow());
            case Event.Commit(var reader) -> reader.close();
            case Event.Snapshot(var reader) -> reader.close();
            case Event.Bootstrap(var reader) -> reader.close();
            case Event.Leader leader -> {}
            case Event.Tick tick -> {}
        }
    }

    private static RetriableException closedNow() {
        return new RetriableException("The controller of this node is closed");
    }
}
