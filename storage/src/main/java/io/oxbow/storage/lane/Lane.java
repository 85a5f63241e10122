// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.lane;

import io.oxbow.base.error.RetriableException;
import io.oxbow.base.thread.Inbox;
import io.oxbow.base.thread.Owner;
import io.oxbow.base.thread.Threads;
import io.oxbow.storage.dir.DirectoryInventory;
import io.oxbow.storage.log.AppendOutcome;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import org.apache.kafka.common.Uuid;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The single writer of one log directory: a thread and its bounded inbox. It works in turns: drain
 * the inbox, stage the appends, write and sync once per log, tell everybody. What it does to logs
 * is {@link AppendRound}'s and {@link LaneLogs}'; both are owned by its thread.
 *
 * <p>A full inbox refuses appends, and those who append wait for {@link #whenRoom}. Other messages
 * are few (a handful for each log) and must not be lost, so they queue beside a full inbox; while
 * some do, appends are refused too, so that what one thread sends arrives in its order.
 */
public final class Lane {
    private static final Logger log = LoggerFactory.getLogger(Lane.class);

    /** Most messages in a turn: bounds what waits for the turn's end. */
    private static final int TURN_MESSAGES = 4096;

    private static final long PARK_NANOS = 1_000_000_000L;

    /** Reads that one disk is asked for at once. */
    private static final int READERS = 8;

    private final LogDirectory home;
    private final Threads threads;
    private final Inbox<LaneMessage> inbox;
    private final LaneReaders readers;
    private final LaneMeter meter;
    private final Owner owner = new Owner();
    private final LaneLogs logs;
    private final AppendRound round;

    /** Messages that found the inbox full; any thread adds, the lane takes. */
    private final ConcurrentLinkedQueue<LaneMessage> overflow = new ConcurrentLinkedQueue<>();

    /** Callbacks of {@link #whenRoom}; any thread adds, the lane takes. */
    private final ConcurrentLinkedQueue<Runnable> roomWaiters = new ConcurrentLinkedQueue<>();

    // ---- lane only ----
    private boolean stopping;
    private Runnable whenEnded = () -> {};

    /** Written by the lane when it takes no more; read by all who offer. */
    private volatile boolean ended;

    Lane(LogDirectory home, DirectoryInventory inventory, LaneTools tools, LogPoolConfig config) {
        this.home = home;
        this.inbox = new Inbox<>(config.laneInboxCapacity());
        this.readers = new LaneReaders("oxbow-reader-" + home.number(), tools.threads(), READERS);
        this.threads = tools.threads();
        this.meter = new LaneMeter(tools.clock());
        this.logs = new LaneLogs(this, home, inventory, tools, config);
        this.round = new AppendRound(logs, home, meter);
    }

    /** Calls back once, on the lane's thread, when the inbox has room again. Any thread. */
    public void whenRoom(Runnable callback) {
        roomWaiters.add(callback);
        // Full: the lane will come by. Not full: this makes it look.
        inbox.offer(LaneMessage.Nudge.INSTANCE);
        if (ended) tellRoomWaiters();
    }

    public Path directory() {
        return home.path();
    }

    public Uuid directoryId() {
        return home.id();
    }

    /** What it has measured; never blocks, also while the lane is stalled. */
    public LaneMetrics metrics() {
        return meter.snapshot(
                home, inbox.size() + overflow.size(), inbox.capacity(), readers.waiting());
    }

    /** Fails unless the calling thread is the lane's. */
    public void assertOwner() {
        owner.assertOwner();
    }

    /**
     * Starts the thread and its timers.
     *
     * @param deleted folders that an earlier run has left to be removed
     */
    void start(List<Path> deleted) {
        deleted.forEach(folder -> logs.upkeep().deletedFolders().add(folder, 0));
        logs.upkeep().start();
        threads.start("oxbow-lane-" + home.number(), this::run);
    }

    /** Does a last thing and ends; completes when the lane takes no more. Any thread. */
    CompletableFuture<Void> end(Runnable last) {
        logs.upkeep().stop();
        CompletableFuture<Void> done = new CompletableFuture<>();
        post(
                new LaneMessage.Act(
                        () -> {
                            try {
                                last.run();
                            } finally {
                                stopping = true;
                                whenEnded = () -> done.complete(null);
                            }
                        },
                        () -> done.complete(null)));
        return done;
    }

    /** Sends an append; false if there is no room: nothing was taken. Any thread. */
    boolean offer(LaneMessage.Append append) {
        if (ended) {
            refuse(append);
            return true;
        }
        if (!overflow.isEmpty() || !inbox.offer(append)) return false;
        if (ended) refuseLeftovers();
        return true;
    }

    /** Sends anything else; always taken. Any thread. */
    void post(LaneMessage message) {
        if (!overflow.isEmpty() || !inbox.offer(message)) {
            overflow.add(message);
            inbox.offer(LaneMessage.Nudge.INSTANCE);
        }
        if (ended) refuseLeftovers();
    }

    /** Runs {@code action} on the lane, unless the lane has ended. */
    void post(Runnable action) {
        post(new LaneMessage.Act(action, () -> {}));
    }

    /**
     * Runs {@code action} on the lane and completes with its value; fails with what it throws, or
     * with {@link RetriableException} if the lane has ended.
     */
    <T> CompletableFuture<T> call(Supplier<T> action) {
        CompletableFuture<T> result = new CompletableFuture<>();
        post(
                new LaneMessage.Act(
                        () -> {
                            try {
                                result.complete(action.get());
                            } catch (RuntimeException failure) {
                                result.completeExceptionally(failure);
                            }
                        },
                        () -> result.completeExceptionally(closed())));
        return result;
    }

    RetriableException closed() {
        return new RetriableException("The log directory " + home.path() + " has been closed");
    }

    Owner owner() {
        return owner;
    }

    LaneReaders readers() {
        return readers;
    }

    LaneMeter meter() {
        return meter;
    }

    LogDirectory home() {
        return home;
    }

    // ---- lane only ----

    /** The logs and files of the directory. */
    LaneLogs logs() {
        return logs;
    }

    AppendRound round() {
        return round;
    }

    private void run() {
        owner.bind();
        while (!stopping) {
            try {
                if (turn() == 0) inbox.await(PARK_NANOS);
            } catch (Throwable failure) {
                giveUp(failure);
            }
        }
        ended = true;
        logs.turnEnd().giveUp(closed());
        refuseLeftovers();
        whenEnded.run();
    }

    /**
     * After a failure that nobody expected. What is in memory may be half done: nothing more is
     * written from it, and the directory is not marked as closed cleanly.
     */
    private void giveUp(Throwable failure) {
        try {
            logs.takeOffline("its lane met an internal error: " + failure);
            round.abort();
        } catch (Throwable second) {
            failure.addSuppressed(second);
        } finally {
            home.events().bug(home, failure);
        }
    }

    private int turn() {
        if (inbox.size() == 0 && overflow.isEmpty()) return 0;
        meter.busy();
        int taken = inbox.drain(this::handle, TURN_MESSAGES);
        // Only behind all that came before them.
        if (taken < TURN_MESSAGES) taken += drainOverflow();
        round.commit();
        logs.turnEnd().run();
        meter.idle();
        tellRoomWaiters();
        return taken;
    }

    private void handle(LaneMessage message) {
        switch (message) {
            case LaneMessage.Append append -> round.add(append.log(), append.request());
            case LaneMessage.Raise raise -> round.raise(raise);
            case LaneMessage.Act act -> {
                round.commit();
                act.action().run();
            }
            case LaneMessage.Nudge nudge -> {}
        }
    }

    private int drainOverflow() {
        int taken = 0;
        LaneMessage message;
        while (taken < TURN_MESSAGES && (message = overflow.peek()) != null) {
            try {
                handle(message);
            } finally {
                // Only now, so that appends do not overtake it; also if it failed.
                overflow.poll();
            }
            taken++;
        }
        return taken;
    }

    private void tellRoomWaiters() {
        Runnable waiter;
        while ((waiter = roomWaiters.poll()) != null) {
            try {
                waiter.run();
            } catch (RuntimeException failure) {
                log.error("A callback for room in the inbox of {} failed", home.path(), failure);
            }
        }
    }

    /** After the end: whoever slipped in is answered, by the lane or by the one who offered. */
    private synchronized void refuseLeftovers() {
        inbox.drain(this::refuse, Integer.MAX_VALUE);
        LaneMessage message;
        while ((message = overflow.poll()) != null) refuse(message);
        tellRoomWaiters();
    }

    private void refuse(LaneMessage message) {
        switch (message) {
            case LaneMessage.Append append ->
                    append.request()
                            .completion()
                            .done(
                                    new AppendOutcome.Refused(
                                            AppendOutcome.Reason.NOT_LEADER,
                                            closed().getMessage()));
            case LaneMessage.Act act -> act.otherwise().run();
            case LaneMessage.Raise raise -> raise.then().run();
            case LaneMessage.Nudge nudge -> {}
        }
    }
}
