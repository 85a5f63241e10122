// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.compaction;

import io.oxbow.storage.compaction.CompactionFilter.LastTrace;
import io.oxbow.storage.compaction.CompactionPlanner.LogFacts;
import io.oxbow.storage.compaction.CompactionPlanner.SegmentFacts;
import io.oxbow.storage.log.LogSettings;
import io.oxbow.storage.log.LogView;
import io.oxbow.storage.log.PartitionLog;
import io.oxbow.storage.producer.ProducerEntry;
import io.oxbow.storage.segment.BatchScanner;
import io.oxbow.storage.segment.Segment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A log as it was at one moment on its lane. Closed segments do not change; if one was cut or
 * removed since, {@link #stillHolds} tells before anything is replaced.
 *
 * @param segments oldest first, the last active
 * @param sizes of {@code segments}
 */
record LogSnapshot(
        CompactableLog log,
        List<Segment> segments,
        List<Long> sizes,
        LogView view,
        LogSettings settings,
        Map<Long, LastTrace> activeProducers) {

    /** On the lane. */
    static LogSnapshot of(CompactableLog log, PartitionLog engine) {
        List<Segment> segments = engine.segments();
        Map<Long, LastTrace> producers = new HashMap<>();
        for (ProducerEntry entry : engine.producerEntries()) {
            producers.put(entry.producerId(), new LastTrace(entry.lastOffset(), entry.epoch()));
        }
        return new LogSnapshot(
                log,
                segments,
                segments.stream().map(Segment::sizeBytes).toList(),
                engine.view(),
                engine.settings(),
                producers);
    }

    /** On the lane: whether these segments are in the log as they were. */
    boolean stillHolds(PartitionLog engine, List<Segment> some) {
        List<Segment> now = engine.segments();
        for (Segment segment : some) {
            int at = segments.indexOf(segment);
            if (!now.contains(segment) || segment.sizeBytes() != sizes.get(at)) return false;
        }
        return true;
    }

    /** For the planner; its suppliers block, so it is used by a compactor only. */
    LogFacts facts(long checkpoint) {
        List<SegmentFacts> facts = new ArrayList<>();
        for (int i = 0; i < segments.size(); i++) {
            Segment segment = segments.get(i);
            facts.add(
                    new SegmentFacts(
                            segment.baseOffset(),
                            sizes.get(i),
                            segment::largestTimestampMs,
                            () -> firstTimestampMs(segment)));
        }
        return new LogFacts(log.topicPartition(), facts, view, settings, checkpoint);
    }

    private static long firstTimestampMs(Segment segment) {
        try (OpenSegment open = new OpenSegment(segment)) {
            BatchScanner scan = segment.scan(open.file(), 0, segment.sizeBytes());
            return scan.next() ? scan.maxTimestampMs() : -1;
        }
    }
}
