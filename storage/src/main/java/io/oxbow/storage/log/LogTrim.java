// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.log;

import io.oxbow.base.error.OxbowException;
import io.oxbow.storage.segment.HalfDone;
import io.oxbow.storage.segment.Segment;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes records out of a log: old ones by retention or on request, the latest ones by truncation.
 * What it changes the log publishes. Owned by the owner of the log.
 */
final class LogTrim {
    private static final Logger LOG = LoggerFactory.getLogger(LogTrim.class);

    private final PartitionLog log;
    private final SegmentList segments;
    private final ProducerHistory producers;
    private final LogBounds bounds;

    LogTrim(PartitionLog log, SegmentList segments, ProducerHistory producers, LogBounds bounds) {
        this.log = log;
        this.segments = segments;
        this.producers = producers;
        this.bounds = bounds;
    }

    // ---- at the start ----

    /** At most to the high watermark; false if the log begins there or later already. */
    boolean raiseStart(long offset) {
        long raised = Math.min(offset, bounds.highWatermark());
        if (raised <= bounds.start()) return false;
        bounds.raiseStart(raised);
        log.epochs().truncateFromStart(raised);
        int below = 0;
        while (below + 1 < segments.size()
                && segments.all().get(below + 1).baseOffset() <= raised) {
            below++;
        }
        deleteOldest(below, "it lies below the log start " + raised);
        return true;
    }

    /** Deletes segments that retention by time or size no longer keeps; returns how many. */
    int applyRetention() {
        int count =
                RetentionPlanner.plan(
                        candidates(),
                        log.settings(),
                        new RetentionPlanner.Limits(
                                bounds.start(), bounds.highWatermark(), log.clock().wallMs()));
        if (count == 0) return 0;
        if (count == segments.size()) log.rollAt(bounds.end());
        deleteOldest(count, "retention no longer keeps it");
        bounds.raiseStart(Math.max(bounds.start(), segments.all().getFirst().baseOffset()));
        log.epochs().truncateFromStart(bounds.start());
        return count;
    }

    private List<RetentionPlanner.Candidate> candidates() {
        List<RetentionPlanner.Candidate> candidates = new ArrayList<>(segments.size());
        for (int i = 0; i < segments.size(); i++) {
            Segment segment = segments.all().get(i);
            boolean active = segment == segments.active();
            candidates.add(
                    new RetentionPlanner.Candidate(
                            segment.baseOffset(),
                            active ? bounds.end() : segments.all().get(i + 1).baseOffset(),
                            segment.sizeBytes(),
                            active,
                            () -> largestTimestampMs(segment)));
        }
        return candidates;
    }

    private long largestTimestampMs(Segment segment) {
        // Closed in order and not appended to since: the index knows.
        boolean indexed = segment != segments.active() || segments.appenderIfAny() == null;
        if (indexed) return segment.largestTimestampMs();
        long largest = segments.appenderIfAny().largest().timestampMs();
        return largest >= 0 ? largest : segment.lastModifiedMs();
    }

    private void deleteOldest(int count, String why) {
        List<Segment> oldest = List.copyOf(segments.all().subList(0, count));
        for (Segment segment : oldest) LOG.info("Deleting {}: {}", segment.logPath(), why);
        removeAll(oldest);
    }

    // ---- at the end ----

    /** Removes everything from {@code offset} on; false if there is nothing. */
    boolean truncateTo(long offset) {
        if (offset >= bounds.end()) return false;
        if (offset < segments.all().getFirst().baseOffset()) {
            dropAll(offset);
            return true;
        }
        cut(
                () -> {
                    cutSegments(offset);
                    bounds.cut(Math.min(bounds.start(), offset), offset);
                });
        return true;
    }

    /** Drops everything and starts empty at {@code offset}. */
    void dropAll(long offset) {
        cut(
                () -> {
                    removeAll(segments.all().reversed());
                    int interval = log.settings().indexIntervalBytes();
                    segments.start(offset, interval, log.clock().wallMs());
                    producers.clear(offset);
                    log.epochs().clear();
                    bounds.cut(offset, offset);
                });
    }

    private void cut(Runnable change) {
        try {
            change.run();
            afterCut();
        } catch (OxbowException failure) {
            throw HalfDone.because("A truncation was done only in part: " + log.folder(), failure);
        }
    }

    private void cutSegments(long offset) {
        List<Segment> later = new ArrayList<>();
        for (Segment segment : segments.all()) {
            if (segment.baseOffset() > offset) later.add(segment);
        }
        removeAll(later.reversed());
        segments.cutActiveTo(offset, log.clock().wallMs());
    }

    private void afterCut() {
        log.epochs().truncateFromEnd(bounds.end());
        producers.rebuild(
                segments.all(),
                new ProducerHistory.Target(
                        bounds.start(),
                        bounds.end(),
                        log.clock().wallMs(),
                        log.settings().producerIdExpirationMs()));
        FullDisk.tolerate(log.folder(), () -> producers.takeSnapshot(bounds.end()));
        log.wasCut();
    }

    /** In this order, from one end of the log inwards: a crash half-way must leave no hole. */
    private void removeAll(List<Segment> doomed) {
        long due = log.clock().wallMs() + log.settings().fileDeleteDelayMs();
        for (Segment segment : List.copyOf(doomed)) {
            segments.remove(segment, due);
            producers.deleteSnapshot(segment.baseOffset());
        }
    }
}
