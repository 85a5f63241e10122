// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.lane;

import io.oxbow.base.file.FileSystem;
import io.oxbow.base.file.FileSystem.DirectoryLock;
import io.oxbow.base.thread.Threads;
import io.oxbow.base.time.Clock;
import io.oxbow.base.time.Scheduler;
import io.oxbow.storage.compaction.CompactionStatus;
import io.oxbow.storage.compaction.Compactor;
import io.oxbow.storage.lane.PartitionSteps.Wanted;
import io.oxbow.storage.log.LogSettings;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All log directories of a broker as one pool: opens them at start, recovers their logs in
 * parallel, places new ones, takes a failing directory out. Any thread may call any method; only
 * {@link #open} and {@link #close} block.
 *
 * <p>What happens to one partition happens step by step ({@link PoolEntry}); what happens to a
 * directory's files happens on its lane.
 */
public final class LogPool implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(LogPool.class);

    /** Directories that have not closed by then are left for the next start to recover. */
    private static final long CLOSE_SECONDS = 120;

    private final String clusterId;
    private final Set<Uuid> offlineSinceStart;
    private final List<LogDirectory> directories;
    private final List<DirectoryRecovery> recoveries;
    private final List<DirectoryLock> locks;
    private final long previousBrokerEpoch;
    private final PartitionSteps steps;

    /** By partition; steps change the entries. Concurrent: looked up by the network threads. */
    private final ConcurrentHashMap<TopicPartition, PoolEntry> entries;

    /**
     * Noted by the broker when it has registered; read when the pool closes. That of the last run
     * until then: a start that fails before it changes no log.
     */
    private volatile long brokerEpoch;

    LogPool(PoolStart start) {
        this.clusterId = start.clusterId();
        this.offlineSinceStart = start.offlineIds();
        this.directories = start.directories();
        this.recoveries = start.recoveries();
        this.locks = start.locks();
        this.previousBrokerEpoch = start.previousBrokerEpoch();
        this.brokerEpoch = previousBrokerEpoch;
        this.steps = start.steps();
        this.entries = start.entries();
    }

    /**
     * Opens the directories: locks them, reads their identity, starts a lane for each and begins to
     * recover their logs in the background. A directory that cannot be used is offline, not an
     * error, unless it is the metadata directory or the last one.
     *
     * @throws io.oxbow.base.error.DiskException if nothing can be served
     * @throws io.oxbow.base.error.CorruptException if an identity is foreign or contradictory; the
     *     message names the directory and the mend
     * @throws io.oxbow.base.error.RetriableException if another process uses a directory
     */
    public static LogPool open(
            LogPoolConfig config,
            FileSystem files,
            Clock clock,
            Scheduler scheduler,
            Threads threads,
            LogPoolListener listener) {
        LaneTools tools = new LaneTools(files, clock, scheduler, threads);
        PoolOpening.Stock stock = new PoolOpening(config, tools).open();
        PoolStart start = new PoolStart(config, tools, stock, listener);
        LogPool pool = new LogPool(start);
        start.begin();
        return pool;
    }

    /** {@code cluster.id} as the directories say. */
    public String clusterId() {
        return clusterId;
    }

    /**
     * The broker epoch of the last clean stop, if all directories that serve were closed by it;
     * else -1. For the registration (KIP-966).
     */
    public long previousBrokerEpoch() {
        return previousBrokerEpoch;
    }

    /** The broker has registered; the epoch goes into the clean-shutdown markers. */
    public void noteBrokerEpoch(long epoch) {
        brokerEpoch = epoch;
    }

    /** Ids of the directories that serve, in the order of {@code log.dirs}. */
    public List<Uuid> onlineDirectories() {
        return directories.stream().filter(LogDirectory::serves).map(LogDirectory::id).toList();
    }

    /** Ids of the directories that are known but do not serve. */
    public Set<Uuid> offlineDirectories() {
        Set<Uuid> offline = new LinkedHashSet<>(offlineSinceStart);
        for (LogDirectory each : directories) {
            if (!each.serves() && !each.id().equals(Uuid.ZERO_UUID)) offline.add(each.id());
        }
        return offline;
    }

    /** One for each of {@code log.dirs}, in order. Never blocks, also while a disk stalls. */
    public List<DirectoryStatus> status() {
        return directories.stream().map(LogDirectory::status).toList();
    }

    /** What compaction has come to, by directory. Never blocks. */
    public Map<Path, CompactionStatus> compaction() {
        Map<Path, CompactionStatus> status = new LinkedHashMap<>();
        for (LogDirectory each : directories) {
            if (each.compactor() != null) status.put(each.path(), each.compactor().status());
        }
        return status;
    }

    /** What the lanes have measured; those that ever served. Never blocks. */
    public List<LaneMetrics> metrics() {
        return directories.stream()
                .map(LogDirectory::lane)
                .filter(Objects::nonNull)
                .map(Lane::metrics)
                .toList();
    }

    /** The log of a partition if it is ready. */
    public Optional<HostedLog> find(TopicPartition partition) {
        PoolEntry entry = entries.get(partition);
        return entry == null ? Optional.empty() : Optional.ofNullable(entry.log());
    }

    /** All logs that are ready. */
    public Collection<HostedLog> logs() {
        return entries.values().stream().map(PoolEntry::log).filter(Objects::nonNull).toList();
    }

    /**
     * {@link #obtain(TopicPartition, Uuid, Uuid, LogSettings, boolean)} for a partition that may be
     * made new wherever it is not known to lie.
     */
    public CompletableFuture<HostedLog> obtain(
            TopicPartition partition, Uuid topicId, Uuid directoryId, LogSettings settings) {
        return obtain(partition, topicId, directoryId, settings, true);
    }

    /**
     * The log of a partition, from disk if a directory has it (completes when it is recovered),
     * else made new. In both cases it has {@code settings} when the future completes.
     *
     * @param directoryId where the metadata says it is; an unassigned id: wherever it is found, or
     *     chosen by placement. A log found with another topic id is set aside as {@code -stray}.
     * @param isNew whether the replica has just been given to this broker; if not, and it is
     *     unassigned, it is not made while a directory is offline that may hold it
     * @return fails with DiskException if the directory that should hold it is offline: then no new
     *     log is made elsewhere (case U01)
     */
    public CompletableFuture<HostedLog> obtain(
            TopicPartition partition,
            Uuid topicId,
            Uuid directoryId,
            LogSettings settings,
            boolean isNew) {
        Wanted wanted = new Wanted(partition, topicId, directoryId, settings, isNew);
        return step(partition, entry -> steps.obtain(entry, wanted));
    }

    /** Deletes a log: renamed to {@code -delete} at once, files removed later. */
    public CompletableFuture<Void> delete(TopicPartition partition) {
        if (!entries.containsKey(partition)) return CompletableFuture.completedFuture(null);
        return step(partition, steps::delete).whenComplete((done, failure) -> retire(partition));
    }

    /**
     * After the first metadata image that is up to date: every log found on disk whose partition is
     * not in {@code known} (by topic id) is set aside as {@code -stray}, those that are still being
     * recovered when they are ready. A log without a topic id (its {@code partition.metadata} is
     * damaged or of old times) stays and gets its id when it is obtained.
     */
    public void setAsideStrays(BiPredicate<Uuid, TopicPartition> known) {
        for (TopicPartition partition : List.copyOf(entries.keySet())) {
            var _ =
                    step(partition, entry -> setAsideIfStray(entry, partition, known))
                            .whenComplete(
                                    (done, failure) -> {
                                        if (failure != null) {
                                            log.warn("Cannot set {} aside", partition, failure);
                                        }
                                        retire(partition);
                                    });
        }
    }

    /** Cordons exactly these directories (dynamic {@code cordoned.log.dirs}). */
    public void cordon(Set<Path> cordoned) {
        for (LogDirectory each : directories) each.cordoned(cordoned.contains(each.path()));
    }

    /** Clean stop: flushes, writes checkpoints and clean-shutdown markers, ends the lanes. */
    @Override
    public void close() {
        long epoch = brokerEpoch;
        end(
                directory -> {
                    boolean complete = directory.toRecover().get() == 0 && !holdsCopies(directory);
                    directory.lane().logs().close(complete, epoch);
                });
    }

    /** Whether something lies there that was not opened, and so was not recovered either. */
    private boolean holdsCopies(LogDirectory directory) {
        for (PoolEntry entry : entries.values()) {
            for (PoolEntry.Copy copy : entry.copies()) {
                if (copy.home().number() == directory.number()) return true;
            }
        }
        return false;
    }

    /** Lets everything go as a kill would: nothing is flushed, nothing is marked. For tests. */
    public void abandon() {
        end(directory -> directory.lane().logs().abandonAll());
    }

    List<LogDirectory> directories() {
        return directories;
    }

    private void end(Consumer<LogDirectory> last) {
        stopCompactors();
        await("stop recovering", recoveries.stream().map(DirectoryRecovery::stop).toList());
        await(
                "close",
                directories.stream()
                        .filter(each -> each.lane() != null)
                        .map(each -> each.lane().end(() -> last.accept(each)))
                        .toList());
        locks.forEach(LogPool::unlock);
    }

    private void stopCompactors() {
        List<Compactor> compactors =
                directories.stream().map(LogDirectory::compactor).filter(Objects::nonNull).toList();
        compactors.forEach(Compactor::stop);
        compactors.forEach(Compactor::close);
    }

    private static void await(String what, List<CompletableFuture<Void>> all) {
        try {
            CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
                    .orTimeout(CLOSE_SECONDS, TimeUnit.SECONDS)
                    .join();
        } catch (CompletionException failure) {
            log.warn("Not all log directories could {}; the next start recovers", what, failure);
        }
    }

    private static void unlock(DirectoryLock lock) {
        try {
            lock.close();
        } catch (RuntimeException failure) {
            log.warn("Cannot unlock a log directory", failure);
        }
    }

    private <T> CompletableFuture<T> step(
            TopicPartition partition, Function<PoolEntry, CompletableFuture<T>> step) {
        while (true) {
            PoolEntry entry = entries.computeIfAbsent(partition, absent -> new PoolEntry());
            CompletableFuture<T> next = entry.then(() -> step.apply(entry));
            if (next != null) return next;
            entries.remove(partition, entry);
        }
    }

    private void retire(TopicPartition partition) {
        PoolEntry entry = entries.get(partition);
        if (entry != null && entry.retire()) entries.remove(partition, entry);
    }

    private CompletableFuture<Void> setAsideIfStray(
            PoolEntry entry, TopicPartition partition, BiPredicate<Uuid, TopicPartition> known) {
        HostedLog found = entry.log();
        if (found == null || found.unavailableBecause() != null) {
            return CompletableFuture.completedFuture(null);
        }
        if (found.topicId().equals(Uuid.ZERO_UUID)) return CompletableFuture.completedFuture(null);
        if (known.test(found.topicId(), partition)) return CompletableFuture.completedFuture(null);
        return steps.setAside(
                entry, found, "the metadata does not know it under topic id " + found.topicId());
    }
}
