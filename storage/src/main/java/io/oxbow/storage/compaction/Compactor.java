// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.compaction;

import io.oxbow.base.error.BugException;
import io.oxbow.base.error.DiskException;
import io.oxbow.base.error.FailureCause;
import io.oxbow.base.file.FileSystem;
import io.oxbow.base.thread.Threads;
import io.oxbow.base.time.Clock;
import io.oxbow.storage.compaction.CompactionPlanner.Dirt;
import io.oxbow.storage.compaction.CompactionPlanner.LogFacts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compacts the logs of one directory, one at a time, the dirtiest first, on a thread of its own
 * ({@code oxbow-compactor-N}). A log that cannot be compacted is set aside, with the reason in
 * {@link #status}, and the others go on; a failing disk is left to the lane to judge. An error of
 * ours or of the machine (no memory) is survived in the same way, and logged.
 *
 * <p>Lifecycle: {@link #start}, {@link #close}.
 */
public final class Compactor implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Compactor.class);
    private static final long STOP_PATIENCE_MS = 30_000;

    private final CompactionSite site;
    private final CompactionRun.Tools tools;
    private final CleanOffsets cleanOffsets;
    private final CountDownLatch ended = new CountDownLatch(1);

    /** Compactor thread only. */
    private final Map<TopicPartition, String> uncleanable = new HashMap<>();

    /** Written by the compactor thread, read by whoever shows it. */
    private volatile CompactionStatus status = CompactionStatus.NONE;

    /** Not started; a test calls {@link #pass} itself. */
    Compactor(CompactionSite site, CompactionConfig config, FileSystem files, Clock clock) {
        this.site = site;
        this.tools =
                new CompactionRun.Tools(
                        files, clock, config, new CompactionPace(clock, config.bytesPerSecond()));
        this.cleanOffsets = new CleanOffsets(files, site.directory());
    }

    /**
     * Starts compacting.
     *
     * @param name of the thread, {@code oxbow-compactor-N}
     */
    public static Compactor start(
            String name,
            CompactionSite site,
            CompactionConfig config,
            FileSystem files,
            Clock clock,
            Threads threads) {
        Compactor compactor = new Compactor(site, config, files, clock);
        threads.start(name, compactor::loop);
        return compactor;
    }

    /** Any thread. */
    public CompactionStatus status() {
        return status;
    }

    /**
     * The log was cut at {@code offset}, or deleted (0): it is not clean beyond. Any thread; counts
     * from the next run on.
     */
    public void cut(TopicPartition partition, long offset) {
        cleanOffsets.cut(partition, offset);
    }

    /** Stops within one chunk of work; does not wait. */
    public void stop() {
        tools.pace().stop();
    }

    /** Stops and waits for the end; files in the making are removed. */
    @Override
    public void close() {
        stop();
        try {
            if (!ended.await(STOP_PATIENCE_MS, TimeUnit.MILLISECONDS)) {
                log.warn("The compactor of {} does not stop: its disk may hang", site.directory());
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void loop() {
        try {
            while (!tools.pace().isStopped()) {
                if (!guardedPass()) tools.pace().pause(tools.config().backoffMs());
            }
        } finally {
            ended.countDown();
        }
    }

    private boolean guardedPass() {
        try {
            return pass();
        } catch (CancellationException stopped) {
            return false;
        } catch (RuntimeException failure) {
            if (!tools.pace().isStopped()) {
                log.warn("Compaction in {} is tried again later", site.directory(), failure);
            }
            return false;
        } catch (Error failure) {
            // It reads closed segments and writes files of its own: nothing served is half done.
            log.error(
                    "Compaction in {} met an internal error and is tried again later",
                    site.directory(),
                    failure);
            return false;
        }
    }

    /** Compacts the log that needs it most; false if none does. */
    boolean pass() {
        Map<TopicPartition, LogSnapshot> logs = snapshots();
        Map<TopicPartition, Long> checkpoints = cleanOffsets.current();
        List<LogFacts> facts = new ArrayList<>();
        for (LogSnapshot each : logs.values()) {
            TopicPartition id = each.log().topicPartition();
            if (!uncleanable.containsKey(id)) {
                facts.add(each.facts(checkpoints.getOrDefault(id, -1L)));
            }
        }
        Optional<Dirt> next = CompactionPlanner.next(facts, tools.clock().wallMs());
        show(0, 0, 0);
        next.ifPresent(dirt -> compact(logs.get(dirt.partition()), dirt));
        return next.isPresent();
    }

    private Map<TopicPartition, LogSnapshot> snapshots() {
        List<CompletableFuture<LogSnapshot>> asked = new ArrayList<>();
        for (CompactableLog each : site.compactedLogs().join()) {
            asked.add(each.onLane(engine -> LogSnapshot.of(each, engine)));
        }
        Map<TopicPartition, LogSnapshot> snapshots = new HashMap<>();
        for (CompletableFuture<LogSnapshot> one : asked) {
            try {
                LogSnapshot snapshot = one.join();
                snapshots.put(snapshot.log().topicPartition(), snapshot);
            } catch (CompletionException gone) {
                log.debug("A log went away", gone);
            }
        }
        return snapshots;
    }

    private void compact(LogSnapshot snapshot, Dirt dirt) {
        TopicPartition id = dirt.partition();
        try {
            CompactionRun.Result result = new CompactionRun(snapshot, dirt, tools).run();
            cleanOffsets.reached(id, result.cleanUpTo());
            log.info(
                    "Compacted {} up to offset {}: {} of {} bytes stay",
                    id,
                    result.cleanUpTo(),
                    result.bytesWritten(),
                    result.bytesRead());
            show(1, result.bytesRead(), result.bytesWritten());
        } catch (CancellationException gone) {
            log.debug("Compaction of {} was given up: {}", id, gone.getMessage());
            throw gone;
        } catch (RuntimeException failure) {
            judge(snapshot.log(), rootOf(failure));
        } catch (Error failure) {
            // Most likely a log that asks for too much memory: the others must not wait behind it.
            setAside(id, new BugException("Compaction met " + failure, failure));
        }
    }

    private void judge(CompactableLog target, RuntimeException failure) {
        TopicPartition id = target.topicPartition();
        if (target.unavailableBecause() != null) {
            log.debug("Compaction of {} ended with its log", id, failure);
            return;
        }
        switch (failure) {
            case DiskException passing when passing.passes() -> throw failure;
            case DiskException disk -> {
                setAside(id, disk);
                // The lane draws the conclusions: it knows a missing file from a dying disk.
                var _ =
                        target.onLane(
                                engine -> {
                                    throw disk;
                                });
            }
            default -> setAside(id, failure);
        }
    }

    private void setAside(TopicPartition id, RuntimeException failure) {
        uncleanable.put(id, String.valueOf(failure.getMessage()));
        log.error(
                "{} cannot be compacted and is left alone until the next start; it is served as it"
                        + " is, but grows",
                id,
                failure);
        show(0, 0, 0);
    }

    private void show(long runs, long bytesRead, long bytesWritten) {
        CompactionStatus before = status;
        status =
                new CompactionStatus(
                        Map.copyOf(uncleanable),
                        before.runs() + runs,
                        before.bytesRead() + bytesRead,
                        before.bytesWritten() + bytesWritten,
                        tools.clock().wallMs());
    }

    private static RuntimeException rootOf(RuntimeException failure) {
        return FailureCause.of(failure) instanceof RuntimeException cause ? cause : failure;
    }
}
