// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.log;

import io.oxbow.base.Invariant;
import io.oxbow.base.error.CorruptException;
import io.oxbow.base.error.OxbowException;
import io.oxbow.base.file.FileSystem;
import io.oxbow.base.thread.Owner;
import io.oxbow.base.time.Clock;
import io.oxbow.storage.batch.CheckedBatches;
import io.oxbow.storage.producer.ProducerEntry;
import io.oxbow.storage.segment.Segment;
import io.oxbow.storage.segment.SegmentAppender;
import java.nio.file.Path;
import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;

/**
 * One partition's log: an ordered set of segments in one folder, the last of them active. Owned by
 * one thread (its lane; for the metadata log the raft thread), save the methods under "any thread",
 * which work on the {@link LogState} that the owner published last.
 */
public final class PartitionLog implements AutoCloseable {
    private final TopicPartition partition;
    private final Path folder;
    private final FileSystem files;
    private final Clock clock;
    private final SegmentList segments;
    private final ProducerHistory producers;
    private final LogWriter writer;
    private final LeaderEpochFile epochs;
    private final LogBounds bounds;
    private final FlushState flushState;
    private final LogTrim trim;

    private Owner owner = new Owner();
    private LogSettings settings;
    private Uuid topicId;

    /**
     * Written by the owner after each change, read by any thread: a message per read costs more.
     */
    private volatile LogState state;

    /**
     * What a log needs to be opened.
     *
     * @param folder {@code topic-partition} under the log directory
     * @param recoveryPoint offset up to which the log is known to be durable (checkpoint), 0 if not
     *     known
     * @param logStartOffset from the log-start-offset checkpoint, 0 if not known
     * @param clean whether the directory was closed cleanly: then nothing is scanned
     * @param reachedOffset the log had come at least so far (checkpoints), 0 if not known: tells a
     *     log that has lost its files from one that is new
     */
    public record OpenSpec(
            Path folder,
            TopicPartition partition,
            LogSettings settings,
            long recoveryPoint,
            long logStartOffset,
            boolean clean,
            long reachedOffset) {

        /** Nothing is known but what these say. */
        public OpenSpec(
                Path folder,
                TopicPartition partition,
                LogSettings settings,
                long recoveryPoint,
                long logStartOffset,
                boolean clean) {
            this(folder, partition, settings, recoveryPoint, logStartOffset, clean, recoveryPoint);
        }
    }

    private PartitionLog(OpenSpec spec, FileSystem files, Clock clock, LogOpener.Opened opened) {
        this.partition = spec.partition();
        this.folder = spec.folder();
        this.settings = spec.settings();
        this.files = files;
        this.clock = clock;
        this.segments = opened.segments();
        this.producers = opened.producers();
        this.topicId = opened.topicId();
        this.epochs = new LeaderEpochFile(files, folder, opened.epochs(), opened.epochsSaved());
        this.bounds = new LogBounds(opened.logStartOffset(), opened.endOffset());
        this.flushState =
                new FlushState(files, segments, producers, epochs, bounds, opened.durable());
        this.trim = new LogTrim(this, segments, producers, bounds);
        this.writer = new LogWriter(this, segments, producers);
        publish();
    }

    /**
     * Opens a folder (made if missing) and recovers what a crash left. Blocks. The high watermark
     * begins at the log start.
     *
     * @throws CorruptException if what is there cannot be the log: costs this replica
     */
    public static PartitionLog open(OpenSpec spec, FileSystem files, Clock clock) {
        return new PartitionLog(spec, files, clock, new LogOpener(spec, files, clock).open());
    }

    /** Whether a folder has no segment, and none was just being removed or exchanged. Blocks. */
    public static boolean holdsNothing(Path folder, FileSystem files) {
        return FolderListing.of(folder, files).holdsNothing();
    }

    // ---- any thread ----

    public TopicPartition topicPartition() {
        return partition;
    }

    public LogView view() {
        return state.view();
    }

    public long sizeBytes() {
        return state.sizeBytes();
    }

    /**
     * As {@code HostedLog.read}. With {@code mayBlock} it never answers NotCached; without it never
     * throws: what is wrong comes out when it is asked again with {@code mayBlock}. A slice of a
     * range that is truncated while it is held may turn out short: its sender closes the
     * connection.
     *
     * @throws CorruptException if a segment cannot be read
     */
    public ReadOutcome read(ReadRequest request, ReadHint hint, boolean mayBlock) {
        while (true) {
            LogState now = state;
            try {
                return new LogReader(now, request, hint, mayBlock).read();
            } catch (OxbowException failure) {
                if (!mayBlock) return new ReadOutcome.NotCached();
                // A segment that was removed or cut underneath is no fault of the log.
                if (state == now) throw failure;
            }
        }
    }

    public EpochEnd endOffsetForEpoch(int leaderEpoch) {
        return epochs.epochs().end(leaderEpoch, state.view().endOffset());
    }

    public int epochForOffset(long offset) {
        return epochs.epochs().at(offset);
    }

    public int latestEpoch() {
        return epochs.epochs().latest();
    }

    /** First record from the log start on with at least this timestamp. Blocks. */
    public TimestampOffset offsetForTimestamp(long timestampMs) {
        while (true) {
            LogState now = state;
            try {
                return new TimeLookup(now).first(timestampMs);
            } catch (OxbowException failure) {
                if (state == now) throw failure;
            }
        }
    }

    /** The record with the largest timestamp, the first of several. Blocks. */
    public TimestampOffset offsetOfMaxTimestamp() {
        while (true) {
            LogState now = state;
            try {
                return new TimeLookup(now).largest();
            } catch (OxbowException failure) {
                if (state == now) throw failure;
            }
        }
    }

    // ---- owner only ----

    /** From now on the methods below assert this owner. */
    public void ownedBy(Owner newOwner) {
        owner.assertOwner();
        owner = newOwner;
    }

    /** The topic id in {@code partition.metadata}, or null. */
    public Uuid topicId() {
        return topicId;
    }

    /**
     * Writes {@code partition.metadata} if it is not there. It is durable with the first flush:
     * what is lost with it was not durable either, and it can be written again.
     */
    public void assignTopicId(Uuid newTopicId) {
        owner.assertOwner();
        if (topicId != null) {
            Invariant.check(
                    topicId.equals(newTopicId), "a log belongs to one topic id for its life");
            return;
        }
        files.replace(
                folder.resolve(PartitionMetadataFormat.FILE_NAME),
                PartitionMetadataFormat.encode(newTopicId));
        flushState.replaced(PartitionMetadataFormat.FILE_NAME);
        topicId = newTopicId;
    }

    /**
     * Stages an append: offsets are assigned, producer state is checked, headers are patched; bytes
     * are written by {@link #writeStaged}. Several appends may be staged, so that one gathering
     * write serves them all. A refusal stages nothing.
     */
    public AppendOutcome stage(CheckedBatches batches, AppendOrigin origin, int leaderEpoch) {
        owner.assertOwner();
        return writer.stage(batches, origin, leaderEpoch);
    }

    /**
     * Writes what was staged by one gathering write per segment, adds index entries, rolls where
     * due, publishes the view. If it throws, nothing staged counts as written, torn bytes are cut
     * off and the producer state is as before.
     */
    public void writeStaged() {
        owner.assertOwner();
        writer.writeStaged();
    }

    /** Whether {@code flush.messages} asks for a sync before the last append is acknowledged. */
    public boolean syncDue() {
        long unflushed = bounds.end() - flushState.recoveryPoint();
        return unflushed > 0 && unflushed >= settings.flushMessages();
    }

    /**
     * Whether a flush would spare a crash much reading: a segment was rolled since the last one, or
     * many bytes were appended.
     */
    public boolean flushWorthwhile() {
        owner.assertOwner();
        return flushState.worthwhile();
    }

    /** Whether the folder does not durably say to which topic it belongs. */
    public boolean topicIdUnsynced() {
        owner.assertOwner();
        return flushState.topicIdUnsynced();
    }

    /** Makes everything up to the log end durable and moves the recovery point. */
    public void flush() {
        FlushPlan plan = beginFlush();
        if (plan == null) return;
        plan.sync();
        finishFlush(plan);
    }

    /**
     * What a flush has to sync, null if all is durable. Index entries are written here; the plan's
     * {@code sync} may run on another thread, then {@link #finishFlush} here.
     */
    public FlushPlan beginFlush() {
        owner.assertOwner();
        return flushState.begin(folder);
    }

    /** As {@link #beginFlush}, but for the folder's small files and names alone. */
    public FlushPlan beginSmallFileFlush() {
        owner.assertOwner();
        return flushState.beginSmallFiles(folder);
    }

    /** The plan has been synced: the recovery point moves, unless the log was cut meanwhile. */
    public void finishFlush(FlushPlan plan) {
        owner.assertOwner();
        if (flushState.finish(plan)) publish();
    }

    /** A leader begins its epoch here, or a follower learns of one. */
    public void noteLeaderEpoch(int leaderEpoch, long startOffset) {
        owner.assertOwner();
        epochs.assign(leaderEpoch, startOffset);
    }

    /** Raises the high watermark (at most to the log end) and publishes. */
    public void raiseHighWatermark(long offset) {
        owner.assertOwner();
        if (!bounds.raiseHighWatermark(offset)) return;
        producers.table().replicatedTo(bounds.highWatermark());
        publish();
    }

    /**
     * Moves the log start up (DeleteRecords, retention), at most to the high watermark; whole
     * segments below it are deleted.
     */
    public void raiseLogStart(long offset) {
        owner.assertOwner();
        if (trim.raiseStart(offset)) publish();
    }

    /** Removes everything from {@code offset} on. Nothing may be staged. */
    public void truncateTo(long offset) {
        owner.assertOwner();
        if (trim.truncateTo(offset)) publish();
    }

    /** Drops everything and starts empty at {@code offset}. */
    public void truncateFullyAndStartAt(long offset) {
        owner.assertOwner();
        trim.dropAll(offset);
        publish();
    }

    /** Rolls if the active segment's age asks for it, or at once if {@code force}. */
    public void roll(boolean force) {
        owner.assertOwner();
        if (segments.active().sizeBytes() == 0) return;
        if (!force && !writer.ageDue()) return;
        rollAt(bounds.end());
        publish();
    }

    /** Deletes segments that retention by time or size no longer keeps; returns how many. */
    public int applyRetention() {
        owner.assertOwner();
        int count = trim.applyRetention();
        if (count > 0) publish();
        return count;
    }

    /**
     * What time brings: files of deleted segments go ({@code file.delete.delay.ms}), silent
     * producers are forgotten, files that nobody used since the last call are closed. Cheap when
     * nothing is due; to be called every few seconds to minutes.
     */
    public void housekeep() {
        owner.assertOwner();
        long now = clock.wallMs();
        segments.deleteDoomed(now);
        producers.table().expire(now, settings.producerIdExpirationMs());
        segments.closeIdle();
    }

    /** Removes the files of deleted segments now (the directory is full). */
    public void deleteNow() {
        owner.assertOwner();
        segments.deleteDoomed(Long.MAX_VALUE);
    }

    public LogSettings settings() {
        return settings;
    }

    public void reconfigure(LogSettings newSettings) {
        owner.assertOwner();
        settings = newSettings;
        writer.reconfigured();
    }

    public List<ProducerSnapshot> producers() {
        owner.assertOwner();
        return producers.table().entries().stream()
                .map(
                        entry ->
                                new ProducerSnapshot(
                                        entry.producerId(),
                                        entry.epoch(),
                                        entry.lastSequence(),
                                        entry.lastTimestampMs(),
                                        entry.coordinatorEpoch(),
                                        entry.txnFirstOffset()))
                .toList();
    }

    /** What the log knows of each producer: for compaction. */
    public List<ProducerEntry> producerEntries() {
        owner.assertOwner();
        return List.copyOf(producers.table().entries());
    }

    /** The segments, oldest first, the last active: for compaction. */
    public List<Segment> segments() {
        owner.assertOwner();
        return List.copyOf(segments.all());
    }

    /**
     * Replaces neighbouring closed segments by one that was written under {@code .cleaned} names
     * with the base offset of the first and is complete. A crash at any point leaves either the old
     * ones or the new one ({@link FolderRepair}).
     */
    public void replaceSegments(List<Segment> old, Segment cleaned) {
        owner.assertOwner();
        new SegmentSwap(segments, producers, files, folder)
                .replace(old, cleaned, clock.wallMs() + settings.fileDeleteDelayMs());
        bounds.positionsChanged();
        publish();
    }

    /**
     * Takes a producer snapshot, completes the indexes, makes all of it durable and closes the
     * files: afterwards the folder may be marked as closed in order.
     */
    @Override
    public void close() {
        owner.assertOwner();
        Invariant.check(writer.nothingStaged(), "staged appends are written before a close");
        if (segments.appenderIfAny() != null) segments.appenderIfAny().finish();
        epochs.saveThoseBelow(bounds.end());
        producers.takeSnapshot(bounds.end());
        // Also what another flush is just syncing: that may still fail.
        FlushPlan plan = flushState.beginLast(folder);
        if (plan != null) {
            plan.sync();
            finishFlush(plan);
        }
        segments.deleteDoomed(Long.MAX_VALUE);
        segments.close();
    }

    /** Closes files without flushing (directory offline). */
    public void abandon() {
        segments.close();
    }

    // ---- for the parts of the log ----

    Clock clock() {
        return clock;
    }

    Path folder() {
        return folder;
    }

    long endOffset() {
        return bounds.end();
    }

    long logStartOffset() {
        return bounds.start();
    }

    LeaderEpochFile epochs() {
        return epochs;
    }

    /** An append has been written. */
    void wrote(long newEndOffset, long position, int bytes) {
        bounds.grew(newEndOffset, segments.active().baseOffset(), position);
        flushState.wrote(bytes);
    }

    /** Truncation has taken something away. */
    void wasCut() {
        flushState.cut();
        writer.rolled();
    }

    /** Ends the active segment and begins one at {@code baseOffset}. */
    void rollAt(long baseOffset) {
        SegmentAppender ending = segments.appender(bounds.end(), clock.wallMs());
        FullDisk.tolerate(folder, ending::finish);
        FullDisk.tolerate(folder, () -> producers.takeSnapshot(baseOffset));
        segments.start(baseOffset, settings.indexIntervalBytes(), clock.wallMs());
        flushState.rolled();
        writer.rolled();
    }

    void publish() {
        state =
                new LogState(
                        segments.array(),
                        new LogView(
                                bounds.start(),
                                lastStableOffset(),
                                bounds.highWatermark(),
                                bounds.end(),
                                flushState.recoveryPoint()),
                        segments.active().sizeBytes(),
                        segments.sizeBytes(),
                        bounds.generation(),
                        bounds.highWatermarkMark());
    }

    private long lastStableOffset() {
        long unstable = producers.table().firstUnstable();
        long highWatermark = bounds.highWatermark();
        return unstable >= 0 && unstable < highWatermark
                ? Math.max(unstable, bounds.start())
                : highWatermark;
    }
}
