// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.lane;

import io.oxbow.base.error.BugException;
import io.oxbow.base.error.DiskException;
import io.oxbow.storage.lane.PoolEntry.Copy;
import io.oxbow.storage.log.LogView;
import io.oxbow.storage.log.PartitionLog;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the logs that one directory held at start, on a few threads, each log handed to the lane as
 * soon as it is ready. What a log needed to recover is made durable before, and noted in the
 * checkpoint soon after, so that a second kill costs only what was under way.
 *
 * <p>A log that finds no room to recover, or no file descriptor, is tried again until there is one.
 */
final class DirectoryRecovery {
    private record Task(Copy copy, long bytes, CompletableFuture<HostedLog> done) {}

    private static final long NO_ROOM_RETRY_MS = 2_000;

    private static final Logger log = LoggerFactory.getLogger(DirectoryRecovery.class);

    private final LogDirectory home;
    private final LaneTools tools;
    private final int threads;

    /** Filled before the threads start, and again by retries; taken by the recovery threads. */
    private final Queue<Task> tasks = new ConcurrentLinkedQueue<>();

    /** Logs that found no room or no descriptor; their retry puts them back. */
    private final Queue<Task> starved = new ConcurrentLinkedQueue<>();

    private final AtomicInteger running = new AtomicInteger();

    /** Completes when no thread of it will do anything any more. */
    private final CompletableFuture<Void> resting = new CompletableFuture<>();

    /** Set by whoever closes the pool, read by the recovery threads between logs. */
    private volatile boolean stopped;

    DirectoryRecovery(LogDirectory home, LaneTools tools, int threads) {
        this.home = home;
        this.tools = tools;
        this.threads = Math.max(1, threads);
    }

    /**
     * Before {@link #start}: a log to open; the future completes on the lane.
     *
     * @param bytes that have to be read, 0 if not known
     */
    CompletableFuture<HostedLog> add(Copy copy, long bytes) {
        CompletableFuture<HostedLog> done = new CompletableFuture<>();
        tasks.add(new Task(copy, bytes, done));
        home.toRecover().incrementAndGet();
        home.recoveryBytes().addAndGet(bytes);
        return done;
    }

    void start() {
        int wanted = Math.min(threads, tasks.size());
        for (int i = 0; i < wanted; i++) {
            running.incrementAndGet();
            tools.threads().start("oxbow-recovery-" + home.number() + "-" + i, this::work);
        }
    }

    /** No further log is begun; completes when those under way are with the lane. */
    CompletableFuture<Void> stop() {
        stopped = true;
        if (running.get() == 0) rest();
        return resting;
    }

    boolean of(LogDirectory directory) {
        return home == directory;
    }

    private void work() {
        try {
            Task task;
            while (!stopped && home.serves() && (task = tasks.poll()) != null) recover(task);
        } finally {
            boolean last = running.decrementAndGet() == 0;
            if (last && (stopped || !home.serves())) rest();
        }
    }

    private void recover(Task task) {
        PartitionLog opened;
        try {
            opened = openDurably(task.copy().spec(), tools);
        } catch (RuntimeException failure) {
            failed(task, failure);
            return;
        } catch (Error failure) {
            // One log that asks too much must not end the thread: the others wait behind it.
            failed(task, new BugException("Opening a log failed", failure));
            return;
        }
        home.lane()
                .post(
                        new LaneMessage.Act(
                                () -> adopt(task, opened),
                                () -> {
                                    opened.abandon();
                                    task.done.completeExceptionally(home.lane().closed());
                                }));
    }

    /**
     * Opens a log; what recovery had to read again is synced, so that it need not be next time,
     * unless there is no room for that.
     */
    static PartitionLog openDurably(PartitionLog.OpenSpec spec, LaneTools tools) {
        PartitionLog opened = PartitionLog.open(spec, tools.files(), tools.clock());
        LogView view = opened.view();
        if (spec.clean() || view.recoveryPoint() == view.endOffset()) return opened;
        try {
            opened.flush();
        } catch (DiskException failure) {
            if (!failure.passes()) {
                opened.abandon();
                throw failure;
            }
            log.warn("Cannot flush {} after recovery: {}", spec.folder(), failure.getMessage());
        }
        return opened;
    }

    private void adopt(Task task, PartitionLog opened) {
        if (!home.serves()) {
            opened.abandon();
            failed(task, offline(task));
            return;
        }
        LaneLogs logs = home.lane().logs();
        HostedLog hosted =
                logs.adopt(
                        opened, task.copy().spec().settings(), false, task.copy().highWatermark());
        if (!task.copy().spec().clean()) logs.upkeep().wantCheckpoint();
        finished(task);
        task.done.complete(hosted);
    }

    private void failed(Task task, RuntimeException failure) {
        if (failure instanceof DiskException disk && disk.passes()) {
            log.warn(
                    "Cannot recover {} in {} now; it is tried again until it can: {}",
                    task.copy().spec().partition(),
                    home.path(),
                    failure.getMessage());
            starved.add(task);
            if (disk.kind() == DiskException.Kind.FULL) {
                home.lane().post(() -> home.lane().logs().upkeep().refusedForRoom());
            }
            tools.scheduler().after(NO_ROOM_RETRY_MS, this::retry);
            return;
        }
        finished(task);
        home.lane()
                .post(
                        new LaneMessage.Act(
                                () -> {
                                    home.lane()
                                            .logs()
                                            .failedToOpen(task.copy().spec().partition(), failure);
                                    task.done.completeExceptionally(failure);
                                },
                                () -> task.done.completeExceptionally(failure)));
    }

    private void retry() {
        Task task;
        while ((task = starved.poll()) != null) tasks.add(task);
        if (stopped || tasks.isEmpty()) return;
        if (!running.compareAndSet(0, 1)) {
            // A thread that runs may be about to end without having seen them.
            tools.scheduler().after(NO_ROOM_RETRY_MS, this::retry);
            return;
        }
        tools.threads().start("oxbow-recovery-" + home.number() + "-0", this::work);
    }

    /** Whoever still waits is told that it was in vain. */
    private void rest() {
        Task task;
        while ((task = starved.poll()) != null) tasks.add(task);
        while ((task = tasks.poll()) != null) {
            if (!stopped) finished(task);
            task.done.completeExceptionally(stopped ? home.lane().closed() : offline(task));
        }
        resting.complete(null);
    }

    private void finished(Task task) {
        home.toRecover().decrementAndGet();
        home.recoveryBytes().addAndGet(-task.bytes());
    }

    private DiskException offline(Task task) {
        return new DiskException(
                DiskException.Kind.FAILED,
                home.path(),
                "recover " + task.copy().spec().partition() + " in an offline directory,",
                null);
    }
}
