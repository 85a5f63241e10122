// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.compaction;

import io.oxbow.storage.log.LogSettings;
import io.oxbow.storage.log.LogView;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.kafka.common.TopicPartition;

/**
 * Which log to compact next, which part of it, and which segments to merge; Kafka's rules. Pure.
 *
 * <pre>
 * 0 ........ firstDirty ........ firstUncleanable ........ log end
 *   cleaned before    to be cleaned now      active segment, open
 *                                            transactions, or too young
 * </pre>
 *
 * A log is due when the dirty part is more than {@code min.cleanable.dirty.ratio} of both, or when
 * its oldest dirty record has waited longer than {@code max.compaction.lag.ms}; of those that are
 * due the dirtiest comes first.
 */
final class CompactionPlanner {
    private CompactionPlanner() {}

    /**
     * A segment, the oldest first; the last one of a log is active.
     *
     * @param largestTimestampMs of its records; asked for only if a minimum lag is set
     * @param firstTimestampMs of its first batch, -1 if none; asked for only if a maximum lag is
     *     set
     */
    record SegmentFacts(
            long baseOffset,
            long sizeBytes,
            LongSupplier largestTimestampMs,
            LongSupplier firstTimestampMs) {}

    /**
     * A compacted log.
     *
     * @param checkpoint offset up to which it is clean, -1 if not known
     */
    record LogFacts(
            TopicPartition partition,
            List<SegmentFacts> segments,
            LogView view,
            LogSettings settings,
            long checkpoint) {}

    /**
     * The state of one log.
     *
     * @param overdue the maximum lag has passed
     */
    record Dirt(
            TopicPartition partition,
            long firstDirtyOffset,
            long firstUncleanableOffset,
            long cleanBytes,
            long cleanableBytes,
            boolean overdue) {

        double ratio() {
            long total = cleanBytes + cleanableBytes;
            return total == 0 ? 0 : (double) cleanableBytes / total;
        }

        boolean due(double minRatio) {
            return cleanableBytes > 0 && (overdue || ratio() > minRatio);
        }
    }

    /** The log to compact now, if any is due. */
    static Optional<Dirt> next(Collection<LogFacts> logs, long nowMs) {
        Dirt dirtiest = null;
        for (LogFacts log : logs) {
            Dirt dirt = dirt(log, nowMs);
            if (!dirt.due(log.settings().minCleanableDirtyRatio())) continue;
            if (dirtiest == null || dirt.ratio() > dirtiest.ratio()) dirtiest = dirt;
        }
        return Optional.ofNullable(dirtiest);
    }

    /** What is dirty in a log and may be cleaned now. */
    static Dirt dirt(LogFacts log, long nowMs) {
        long firstDirty = firstDirty(log.checkpoint(), log.view());
        long limit = wholeSegments(log, firstUncleanable(log, firstDirty, nowMs));
        long clean = 0;
        long cleanable = 0;
        List<SegmentFacts> closed = closed(log);
        for (int i = 0; i < closed.size(); i++) {
            SegmentFacts segment = closed.get(i);
            if (nextBase(log, i) <= firstDirty) clean += segment.sizeBytes();
            else if (segment.baseOffset() < limit) cleanable += segment.sizeBytes();
        }
        return new Dirt(
                log.partition(),
                firstDirty,
                Math.max(firstDirty, limit),
                clean,
                cleanable,
                overdue(log, firstDirty, nowMs));
    }

    /** Where cleaning has to begin; a checkpoint outside the log is void. */
    private static long firstDirty(long checkpoint, LogView view) {
        boolean inside = checkpoint >= view.logStartOffset() && checkpoint <= view.endOffset();
        return inside ? checkpoint : view.logStartOffset();
    }

    private static long firstUncleanable(LogFacts log, long firstDirty, long nowMs) {
        long limit = Math.min(log.view().lastStableOffset(), log.segments().getLast().baseOffset());
        long lagMs = log.settings().minCompactionLagMs();
        if (lagMs <= 0) return limit;
        List<SegmentFacts> closed = closed(log);
        for (int i = 0; i < closed.size(); i++) {
            SegmentFacts segment = closed.get(i);
            if (segment.baseOffset() >= limit) break;
            if (nextBase(log, i) <= firstDirty) continue;
            if (segment.largestTimestampMs().getAsLong() > nowMs - lagMs) {
                return segment.baseOffset();
            }
        }
        return limit;
    }

    /** Only whole segments are cleaned: the base offset of the one that holds {@code limit}. */
    private static long wholeSegments(LogFacts log, long limit) {
        List<SegmentFacts> closed = closed(log);
        for (int i = 0; i < closed.size(); i++) {
            if (nextBase(log, i) > limit) return Math.min(limit, closed.get(i).baseOffset());
        }
        return limit;
    }

    private static boolean overdue(LogFacts log, long firstDirty, long nowMs) {
        long lagMs = log.settings().maxCompactionLagMs();
        if (lagMs == Long.MAX_VALUE) return false;
        List<SegmentFacts> closed = closed(log);
        for (int i = 0; i < closed.size(); i++) {
            if (nextBase(log, i) <= firstDirty) continue;
            long firstMs = closed.get(i).firstTimestampMs().getAsLong();
            if (firstMs > 0 && firstMs < nowMs - lagMs) return true;
        }
        return false;
    }

    private static List<SegmentFacts> closed(LogFacts log) {
        return log.segments().subList(0, log.segments().size() - 1);
    }

    private static long nextBase(LogFacts log, int segment) {
        return log.segments().get(segment + 1).baseOffset();
    }

    /**
     * Merges segments that have become small: each group becomes one segment of at most {@code
     * segment.bytes}, whose indexes fit and whose offsets can be told relative to its first.
     *
     * @param segments closed ones, oldest first
     * @param endOffset offset after the last record of {@code segments}
     */
    static List<List<SegmentFacts>> groups(
            List<SegmentFacts> segments, LogSettings settings, long endOffset) {
        List<List<SegmentFacts>> groups = new ArrayList<>();
        List<SegmentFacts> group = new ArrayList<>();
        long bytes = 0;
        for (int i = 0; i < segments.size(); i++) {
            SegmentFacts segment = segments.get(i);
            long end = i + 1 < segments.size() ? segments.get(i + 1).baseOffset() : endOffset;
            boolean fits =
                    !group.isEmpty()
                            && bytes + segment.sizeBytes() <= settings.segmentBytes()
                            && indexBytes(bytes + segment.sizeBytes(), settings)
                                    <= settings.segmentIndexBytes()
                            && end - 1 - group.getFirst().baseOffset() <= Integer.MAX_VALUE;
            if (!fits) {
                group = new ArrayList<>();
                groups.add(group);
                bytes = 0;
            }
            group.add(segment);
            bytes += segment.sizeBytes();
        }
        return groups;
    }

    /** The larger index (12 bytes an entry) of a segment, at most one entry each interval. */
    private static long indexBytes(long logBytes, LogSettings settings) {
        return 12 * (logBytes / Math.max(1, settings.indexIntervalBytes()) + 1);
    }
}
