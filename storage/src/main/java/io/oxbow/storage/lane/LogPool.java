// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.lane;

import io.oxbow.base.file.FileSystem;
import io.oxbow.base.thread.Threads;
import io.oxbow.base.time.Clock;
import io.oxbow.base.time.Scheduler;
import io.oxbow.storage.log.LogSettings;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;

/**
 * All log directories of a broker as one pool: opens them at start, recovers their logs in
 * parallel, places new ones, takes a failing directory out. Any thread may call any method; only
 * {@link #open} and {@link #close} block.
 */
public final class LogPool implements AutoCloseable {

    /**
     * Opens the directories: locks them, reads their identity, starts a lane for each and begins to
     * recover their logs in the background. A directory that cannot be used is offline, not an
     * error, unless it is the metadata directory or the last one.
     *
     * @throws io.oxbow.base.error.DiskException if nothing can be served
     * @throws io.oxbow.base.error.CorruptException if an identity is foreign or contradictory; the
     *     message names the directory and the mend
     */
    public static LogPool open(
            LogPoolConfig config,
            FileSystem files,
            Clock clock,
            Scheduler scheduler,
            Threads threads,
            LogPoolListener listener) {
        throw new UnsupportedOperationException();
    }

    /** {@code cluster.id} as the directories say. */
    public String clusterId() {
        throw new UnsupportedOperationException();
    }

    /** Ids of the directories that serve, in the order of {@code log.dirs}. */
    public List<Uuid> onlineDirectories() {
        throw new UnsupportedOperationException();
    }

    /** Ids of the directories that are known but do not serve. */
    public Set<Uuid> offlineDirectories() {
        throw new UnsupportedOperationException();
    }

    public List<DirectoryStatus> status() {
        throw new UnsupportedOperationException();
    }

    /** The log of a partition if it is ready. */
    public Optional<HostedLog> find(TopicPartition partition) {
        throw new UnsupportedOperationException();
    }

    /** All logs that are ready. */
    public Collection<HostedLog> logs() {
        throw new UnsupportedOperationException();
    }

    /**
     * The log of a partition, from disk if a directory has it (completes when it is recovered),
     * else made new.
     *
     * @param directoryId where the metadata says it is; an unassigned id: wherever it is found, or
     *     chosen by placement. A log found with another topic id is set aside as {@code -stray}.
     * @return fails with DiskException if the directory that should hold it is offline: then no new
     *     log is made elsewhere (case U01)
     */
    public CompletableFuture<HostedLog> obtain(
            TopicPartition partition, Uuid topicId, Uuid directoryId, LogSettings settings) {
        throw new UnsupportedOperationException();
    }

    /** Deletes a log: renamed to {@code -delete} at once, files removed later. */
    public CompletableFuture<Void> delete(TopicPartition partition) {
        throw new UnsupportedOperationException();
    }

    /**
     * After the first metadata image: every log found on disk whose partition is not in {@code
     * known} (by topic id) is set aside as {@code -stray}.
     */
    public void setAsideStrays(java.util.function.BiPredicate<Uuid, TopicPartition> known) {
        throw new UnsupportedOperationException();
    }

    /** Cordons exactly these directories (dynamic {@code cordoned.log.dirs}). */
    public void cordon(Set<java.nio.file.Path> directories) {
        throw new UnsupportedOperationException();
    }

    /** Clean stop: flushes, writes checkpoints and clean-shutdown markers, ends the lanes. */
    @Override
    public void close() {
        throw new UnsupportedOperationException();
    }
}
