// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.compaction;

import io.oxbow.base.error.CorruptException;
import io.oxbow.base.error.DiskException;
import io.oxbow.base.file.FileSystem;
import io.oxbow.base.time.Clock;
import io.oxbow.storage.compaction.CompactionPlanner.Dirt;
import io.oxbow.storage.compaction.CompactionPlanner.SegmentFacts;
import io.oxbow.storage.segment.AbortedTransaction;
import io.oxbow.storage.segment.Segment;
import io.oxbow.storage.segment.SegmentAppender;
import io.oxbow.storage.segment.SegmentFormat;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.common.utils.internals.BufferSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One compaction of one log: notes the keys of the dirty part, then rewrites everything before its
 * end, group by group, and has the lane exchange each group as it is done. Stopped or failed at any
 * point it leaves a log that is right, only less clean.
 */
final class CompactionRun {
    private static final Logger log = LoggerFactory.getLogger(CompactionRun.class);

    /** What a run works with. */
    record Tools(FileSystem files, Clock clock, CompactionConfig config, CompactionPace pace) {}

    /**
     * What came of a run.
     *
     * @param cleanUpTo the log is clean below this offset
     */
    record Result(long cleanUpTo, long bytesRead, long bytesWritten) {}

    /** The log has more different keys in one batch than the map holds. */
    static final class MapTooSmallException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        MapTooSmallException(String message) {
            super(message);
        }
    }

    private final LogSnapshot snapshot;
    private final Dirt dirt;
    private final Tools tools;
    private final BufferSupplier buffers = BufferSupplier.create();
    private final ChunkReader chunks;

    /** Segments of the snapshot that this run has replaced. */
    private final Set<Segment> replaced = new HashSet<>();

    private long bytesRead;
    private long bytesWritten;

    CompactionRun(LogSnapshot snapshot, Dirt dirt, Tools tools) {
        this.snapshot = snapshot;
        this.dirt = dirt;
        this.tools = tools;
        this.chunks = new ChunkReader(tools.config().chunkBytes(), tools.pace());
    }

    /**
     * Runs it; blocks.
     *
     * @throws CancellationException if the compactor was stopped or the log went away or changed
     */
    Result run() {
        try {
            return compact();
        } catch (DiskException | CorruptException failure) {
            // What is missing may have been deleted meanwhile, by retention for one.
            if (holdsAllThatIsLeft()) throw failure;
            CancellationException changed = changed();
            changed.initCause(failure);
            throw changed;
        } finally {
            buffers.close();
        }
    }

    private Result compact() {
        // Before anything is replaced: the segments that tell it may be gone afterwards.
        long oldTombstoneHorizonMs = oldTombstoneHorizonMs();
        KeyOffsets latest = noteKeys();
        long endOffset = latest.latestOffset() + 1;
        TransactionFates transactions = new TransactionFates(abortedFrom(0));
        CompactionFilter.Rules rules =
                new CompactionFilter.Rules(
                        tools.clock().wallMs(),
                        snapshot.settings().deleteRetentionMs(),
                        snapshot.view().highWatermark(),
                        snapshot.activeProducers());
        Pass pass = new Pass(latest, transactions, rules, oldTombstoneHorizonMs);
        for (List<Segment> group : groups(endOffset)) {
            rewrite(group, pass);
            replaced.addAll(group);
        }
        return new Result(endOffset, bytesRead, bytesWritten);
    }

    private boolean holdsAllThatIsLeft() {
        List<Segment> left = new ArrayList<>(snapshot.segments());
        left.removeAll(replaced);
        // The active one grows.
        left.remove(snapshot.segments().getLast());
        return snapshot.log().onLane(engine -> snapshot.stillHolds(engine, left)).join();
    }

    private CancellationException changed() {
        return new CancellationException(
                snapshot.log().topicPartition() + " has changed meanwhile");
    }

    /** What the second pass knows. */
    private record Pass(
            KeyOffsets latest,
            TransactionFates transactions,
            CompactionFilter.Rules rules,
            long oldTombstoneHorizonMs) {}

    private KeyOffsets noteKeys() {
        CompactionConfig config = tools.config();
        KeyOffsets latest = new KeyOffsets(config.mapBytes(), config.mapLoadFactor());
        List<Segment> dirty = new ArrayList<>();
        List<Segment> all = snapshot.segments();
        for (int i = 0; i + 1 < all.size(); i++) {
            boolean before = all.get(i + 1).baseOffset() <= dirt.firstDirtyOffset();
            if (!before && all.get(i).baseOffset() < dirt.firstUncleanableOffset()) {
                dirty.add(all.get(i));
            }
        }
        new DirtyScan(
                        latest,
                        new TransactionFates(abortedFrom(dirt.firstDirtyOffset())),
                        chunks,
                        buffers)
                .scan(dirty, dirt.firstDirtyOffset(), dirt.firstUncleanableOffset());
        if (latest.latestOffset() < dirt.firstDirtyOffset()) {
            throw new MapTooSmallException(
                    "a batch has more keys than fit into "
                            + config.mapBytes()
                            + " bytes; raise log.cleaner.dedupe.buffer.size");
        }
        return latest;
    }

    /**
     * Those whose marker a pass that begins at {@code offset} will meet: one that ended before
     * would stay open to the end of the pass and swallow what its producer wrote since.
     */
    private List<AbortedTransaction> abortedFrom(long offset) {
        List<AbortedTransaction> aborted = new ArrayList<>();
        for (Segment segment : snapshot.segments()) {
            for (AbortedTransaction each : segment.transactions().all()) {
                if (each.lastOffset() >= offset) aborted.add(each);
            }
        }
        return aborted;
    }

    private List<List<Segment>> groups(long endOffset) {
        List<Segment> toClean = new ArrayList<>();
        List<SegmentFacts> facts = new ArrayList<>();
        for (int i = 0; i + 1 < snapshot.segments().size(); i++) {
            Segment segment = snapshot.segments().get(i);
            if (segment.baseOffset() >= Math.min(endOffset, dirt.firstUncleanableOffset())) break;
            toClean.add(segment);
            facts.add(
                    new SegmentFacts(
                            segment.baseOffset(), snapshot.sizes().get(i), () -> -1, () -> -1));
        }
        List<List<Segment>> groups = new ArrayList<>();
        int at = 0;
        for (List<SegmentFacts> group :
                CompactionPlanner.groups(
                        facts, snapshot.settings(), dirt.firstUncleanableOffset())) {
            groups.add(toClean.subList(at, at + group.size()));
            at += group.size();
        }
        return groups;
    }

    private void rewrite(List<Segment> group, Pass pass) {
        Segment cleaned = newSegment(group.getFirst());
        // From the moment that the engine takes it over its files may be the only copy.
        AtomicBoolean taken = new AtomicBoolean();
        try {
            SegmentAppender appender = SegmentAppender.fresh(cleaned, tools.clock().wallMs());
            SegmentRewriter rewriter =
                    new SegmentRewriter(cleaned, appender, chunks, tools.pace(), buffers);
            for (Segment source : group) {
                checkThere();
                boolean keepOld = modifiedMs(source) > pass.oldTombstoneHorizonMs();
                rewriter.copy(
                        source,
                        new CompactionFilter(
                                pass.rules(), pass.latest(), pass.transactions(), keepOld),
                        pass.transactions());
                bytesRead += source.sizeBytes();
            }
            appender.finish();
            bytesWritten += cleaned.sizeBytes();
            // Here, so that the lane finds little left to sync.
            cleaned.saveIndexes();
            cleaned.syncFiles();
            // Retention goes by this time where records have none of their own.
            tools.files().setLastModifiedMs(cleaned.logPath(), modifiedMs(group.getLast()));
            // Opened again by its first reader.
            cleaned.close();
            handOver(group, cleaned, taken);
        } finally {
            if (!taken.get()) discard(cleaned);
        }
    }

    private Segment newSegment(Segment first) {
        Path folder = first.logPath().getParent();
        Segment.Place place =
                new Segment.Place(
                        folder,
                        first.baseOffset(),
                        SegmentFormat.CLEANED,
                        snapshot.settings().indexIntervalBytes());
        return Segment.create(place, tools.files());
    }

    private void handOver(List<Segment> group, Segment cleaned, AtomicBoolean taken) {
        boolean done =
                snapshot.log()
                        .onLane(
                                engine -> {
                                    if (!snapshot.stillHolds(engine, group)) return false;
                                    taken.set(true);
                                    engine.replaceSegments(group, cleaned);
                                    return true;
                                })
                        .join();
        if (!done) throw changed();
    }

    private void discard(Segment cleaned) {
        try {
            cleaned.delete();
        } catch (RuntimeException failure) {
            // The next start removes it.
            log.debug("{} is left over", cleaned.logPath(), failure);
        }
    }

    private void checkThere() {
        String why = snapshot.log().unavailableBecause();
        if (why != null) throw new CancellationException(why);
    }

    private long modifiedMs(Segment segment) {
        return tools.files().lastModifiedMs(segment.logPath());
    }

    /** Tombstones before batch version 2 go with segments that were clean and are older. */
    private long oldTombstoneHorizonMs() {
        Segment lastClean = null;
        for (Segment segment : snapshot.segments()) {
            if (segment.baseOffset() < dirt.firstDirtyOffset()) lastClean = segment;
        }
        return lastClean == null
                ? 0
                : modifiedMs(lastClean) - snapshot.settings().deleteRetentionMs();
    }
}
