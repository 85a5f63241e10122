// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.log;

import io.oxbow.base.file.FileSystem;
import io.oxbow.storage.segment.Segment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What of a log is durable: the recovery point, and which small files and names are not. Makes the
 * plans of flushes and draws the conclusions when they are done. Owned by the owner of the log.
 *
 * <p>Small files (snapshots, {@code leader-epoch-checkpoint}, {@code partition.metadata}) can be
 * made anew; they become durable with the first batches that do, and not before, so that making
 * thousands of logs costs no sync (ADR 23).
 */
final class FlushState {
    /** So that recovery has few batches to replay, a flush takes a snapshot after this many. */
    private static final long SNAPSHOT_EVERY_BYTES = 16L << 20;

    /** Bytes beyond which a flush is worth its while. */
    private static final long WORTHWHILE_BYTES = 4L << 20;

    private final FileSystem files;
    private final SegmentList segments;
    private final ProducerHistory producers;
    private final LeaderEpochFile epochs;
    private final LogBounds bounds;

    private long recoveryPoint;

    /** Bytes appended since the last flush was begun. */
    private long unflushedBytes;

    /** Bytes appended since the last producer snapshot. */
    private long bytesSinceSnapshot;

    /**
     * Names of small files that were made or replaced, each with the latest plan that syncs it,
     * null if none does.
     */
    private final Map<String, FlushPlan> unsynced = new HashMap<>();

    /** Files were made, renamed or removed, and the folder was not synced since. */
    private boolean namesChanged;

    /** The flush that will make names durable, null if none is under way that knows all of them. */
    private FlushPlan namesPlan;

    FlushState(
            FileSystem files,
            SegmentList segments,
            ProducerHistory producers,
            LeaderEpochFile epochs,
            LogBounds bounds,
            Durable durable) {
        this.files = files;
        this.segments = segments;
        this.producers = producers;
        this.epochs = epochs;
        this.bounds = bounds;
        this.recoveryPoint = durable.recoveryPoint;
        this.namesChanged = !durable.names;
    }

    /**
     * What was durable when the log was opened.
     *
     * @param names whether all of its files have their names
     */
    record Durable(long recoveryPoint, boolean names) {}

    /** Everything below it is durable. */
    long recoveryPoint() {
        return recoveryPoint;
    }

    boolean allDurable() {
        return recoveryPoint >= bounds.end();
    }

    /** A segment was rolled since the last flush, or many bytes were appended. */
    boolean worthwhile() {
        return !allDurable()
                && (segments.active().baseOffset() > recoveryPoint
                        || unflushedBytes >= WORTHWHILE_BYTES);
    }

    void wrote(int bytes) {
        unflushedBytes += bytes;
        bytesSinceSnapshot += bytes;
    }

    /** A segment was begun and a snapshot taken. */
    void rolled() {
        bytesSinceSnapshot = 0;
        namesChange();
    }

    void cut() {
        recoveryPoint = Math.min(recoveryPoint, bounds.end());
        namesChange();
    }

    /**
     * Null if all batches are durable. Writes index entries and, now and then, a producer snapshot.
     */
    FlushPlan begin(Path folder) {
        if (allDurable()) return null;
        List<Segment> dirty = unflushed();
        if (bytesSinceSnapshot >= SNAPSHOT_EVERY_BYTES) {
            producers.takeSnapshot(bounds.end());
            producers.deleteStrays(baseOffsets());
            bytesSinceSnapshot = 0;
        }
        unflushedBytes = 0;
        return plan(folder, dirty, bounds.end());
    }

    /**
     * As {@link #begin}, but for all that is not durable, before the folder is marked as closed in
     * order: also what could be made anew, or would be cut off again, after a crash. Null if there
     * is nothing.
     */
    FlushPlan beginLast(Path folder) {
        List<Segment> dirty = allDurable() ? new ArrayList<>() : unflushed();
        for (Segment segment : segments.all()) {
            if (!segment.unsynced() || dirty.contains(segment)) continue;
            dirty.add(segment);
            // Indexes that were missing have been made anew.
            if (segment != segments.active()) namesChange();
        }
        // A folder without batches has nothing to lose; to stop after making many costs no sync.
        if (dirty.isEmpty() && segments.sizeBytes() == 0) return null;
        FlushPlan plan = plan(folder, dirty, bounds.end());
        return plan.isEmpty() ? null : plan;
    }

    private List<Segment> unflushed() {
        List<Segment> dirty = new ArrayList<>();
        for (Segment segment : segments.from(recoveryPoint)) {
            segment.saveIndexes();
            dirty.add(segment);
        }
        return dirty;
    }

    /** The folder does not durably say to which topic it belongs. */
    boolean topicIdUnsynced() {
        return unsynced.containsKey(PartitionMetadataFormat.FILE_NAME);
    }

    /** As {@link #begin}, but for the small files alone; the recovery point stays. */
    FlushPlan beginSmallFiles(Path folder) {
        return plan(folder, List.of(), recoveryPoint);
    }

    /** A small file was made or replaced. */
    void replaced(String name) {
        unsynced.put(name, null);
        namesChange();
    }

    private FlushPlan plan(Path folder, List<Segment> dirty, long endOffset) {
        for (Path snapshot : producers.takeUnsynced()) replaced(snapshot.getFileName().toString());
        if (epochs.takeUnsynced()) replaced(LeaderEpochFormat.FILE_NAME);
        List<Path> small = unsynced.keySet().stream().map(folder::resolve).toList();
        Path names = namesChanged ? folder : null;
        FlushPlan plan = new FlushPlan(files, dirty, small, names, endOffset, bounds.generation());
        // Not durable before this flush has ended: another one may overtake it, or it may fail.
        unsynced.replaceAll((name, earlier) -> plan);
        if (namesChanged) namesPlan = plan;
        return plan;
    }

    /** The plan has been synced; false if that moves nothing, as the log was cut meanwhile. */
    boolean finish(FlushPlan plan) {
        unsynced.values().removeIf(plan::equals);
        if (plan.equals(namesPlan)) {
            namesChanged = false;
            namesPlan = null;
        }
        boolean stale = plan.generation() != bounds.generation();
        if (stale || plan.endOffset() <= recoveryPoint) return false;
        recoveryPoint = plan.endOffset();
        return true;
    }

    private void namesChange() {
        namesChanged = true;
        namesPlan = null;
    }

    private Set<Long> baseOffsets() {
        Set<Long> offsets = new HashSet<>();
        for (Segment segment : segments.all()) offsets.add(segment.baseOffset());
        return offsets;
    }
}
