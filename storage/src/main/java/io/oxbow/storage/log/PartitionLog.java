// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.log;

import io.oxbow.base.file.FileSystem;
import io.oxbow.base.time.Clock;
import io.oxbow.storage.batch.CheckedBatches;
import java.nio.file.Path;
import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;

/**
 * One partition's log: an ordered set of segments in one folder, the last of them active. Owned by
 * one thread (its lane; for the metadata log the raft thread), save the methods under "any thread".
 */
public final class PartitionLog implements AutoCloseable {

    /**
     * What a log needs to be opened.
     *
     * @param folder {@code topic-partition} under the log directory
     * @param recoveryPoint offset up to which the log is known to be durable (checkpoint), 0 if not
     *     known
     * @param logStartOffset from the log-start-offset checkpoint, 0 if not known
     * @param clean whether the directory was closed cleanly: then nothing is scanned
     */
    public record OpenSpec(
            Path folder,
            TopicPartition partition,
            LogSettings settings,
            long recoveryPoint,
            long logStartOffset,
            boolean clean) {}

    /** Opens a folder (made if missing) and recovers what a crash left. Blocks. */
    public static PartitionLog open(OpenSpec spec, FileSystem files, Clock clock) {
        throw new UnsupportedOperationException();
    }

    // ---- any thread ----

    public TopicPartition topicPartition() {
        throw new UnsupportedOperationException();
    }

    public LogView view() {
        throw new UnsupportedOperationException();
    }

    public long sizeBytes() {
        throw new UnsupportedOperationException();
    }

    /** As {@code HostedLog.read}. With {@code mayBlock} it never answers NotCached. */
    public ReadOutcome read(ReadRequest request, ReadHint hint, boolean mayBlock) {
        throw new UnsupportedOperationException();
    }

    public EpochEnd endOffsetForEpoch(int leaderEpoch) {
        throw new UnsupportedOperationException();
    }

    public int epochForOffset(long offset) {
        throw new UnsupportedOperationException();
    }

    public int latestEpoch() {
        throw new UnsupportedOperationException();
    }

    /** Blocks: for a lane's reader. */
    public TimestampOffset offsetForTimestamp(long timestampMs) {
        throw new UnsupportedOperationException();
    }

    /** Blocks: for a lane's reader. */
    public TimestampOffset offsetOfMaxTimestamp() {
        throw new UnsupportedOperationException();
    }

    // ---- owner only ----

    /** The topic id in {@code partition.metadata}, or null. */
    public Uuid topicId() {
        throw new UnsupportedOperationException();
    }

    /** Writes {@code partition.metadata} if it is not there. */
    public void assignTopicId(Uuid topicId) {
        throw new UnsupportedOperationException();
    }

    /**
     * Stages an append: offsets are assigned, producer state is checked, headers are patched; bytes
     * are written by {@link #writeStaged}. Several appends may be staged, so that one gathering
     * write serves them all. A refusal stages nothing.
     */
    public AppendOutcome stage(CheckedBatches batches, AppendOrigin origin, int leaderEpoch) {
        throw new UnsupportedOperationException();
    }

    /**
     * Writes what was staged by one gathering write per segment, adds index entries, rolls where
     * due, publishes the view. If it throws, nothing staged counts as written, torn bytes are cut
     * off and the producer state is as before.
     */
    public void writeStaged() {
        throw new UnsupportedOperationException();
    }

    /** Whether {@code flush.messages} asks for a sync before the last append is acknowledged. */
    public boolean syncDue() {
        throw new UnsupportedOperationException();
    }

    /** Makes everything up to the log end durable and moves the recovery point. */
    public void flush() {
        throw new UnsupportedOperationException();
    }

    public void noteLeaderEpoch(int leaderEpoch, long startOffset) {
        throw new UnsupportedOperationException();
    }

    /** Raises the high watermark (at most to the log end) and publishes. */
    public void raiseHighWatermark(long offset) {
        throw new UnsupportedOperationException();
    }

    /**
     * Moves the log start up (DeleteRecords, retention); whole segments below it may be deleted.
     */
    public void raiseLogStart(long offset) {
        throw new UnsupportedOperationException();
    }

    public void truncateTo(long offset) {
        throw new UnsupportedOperationException();
    }

    /** Drops everything and starts empty at {@code offset}. */
    public void truncateFullyAndStartAt(long offset) {
        throw new UnsupportedOperationException();
    }

    /** Rolls if the active segment's age asks for it, or at once if {@code force}. */
    public void roll(boolean force) {
        throw new UnsupportedOperationException();
    }

    /** Deletes segments that retention by time or size no longer keeps; returns how many. */
    public int applyRetention() {
        throw new UnsupportedOperationException();
    }

    public void reconfigure(LogSettings settings) {
        throw new UnsupportedOperationException();
    }

    public List<ProducerSnapshot> producers() {
        throw new UnsupportedOperationException();
    }

    /** Flushes, takes a producer snapshot, trims indexes, closes files. */
    @Override
    public void close() {
        throw new UnsupportedOperationException();
    }

    /** Closes files without flushing (directory offline). */
    public void abandon() {
        throw new UnsupportedOperationException();
    }
}
