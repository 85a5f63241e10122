// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.compaction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.oxbow.storage.compaction.CompactionPlanner.Dirt;
import io.oxbow.storage.compaction.CompactionPlanner.LogFacts;
import io.oxbow.storage.compaction.CompactionPlanner.SegmentFacts;
import io.oxbow.storage.log.LogSettings;
import io.oxbow.storage.log.LogView;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class CompactionPlannerTest {
    private static final long NOW = 1_000_000;
    private static final TopicPartition A = new TopicPartition("a", 0);
    private static final TopicPartition B = new TopicPartition("b", 0);

    /** Segments of 100 bytes and 10 offsets, one for each age; the last one is active. */
    private static List<SegmentFacts> segments(long... agesMs) {
        List<SegmentFacts> segments = new ArrayList<>();
        for (int i = 0; i < agesMs.length; i++) {
            long at = NOW - agesMs[i];
            segments.add(new SegmentFacts(i * 10L, 100, () -> at, () -> at));
        }
        return segments;
    }

    private static LogFacts log(
            TopicPartition id, long checkpoint, LogView view, LogSettings settings, long... ages) {
        return new LogFacts(id, segments(ages), view, settings, checkpoint);
    }

    private static LogView committedUpTo(long offset) {
        return new LogView(0, offset, offset, offset, offset);
    }

    private static LogSettings lags(long minMs, long maxMs) {
        return settings(1000, minMs, maxMs);
    }

    private static LogSettings settings(int segmentBytes, long minLagMs, long maxLagMs) {
        return CompactionFixture.settings(segmentBytes, minLagMs, maxLagMs, 86_400_000);
    }

    private static final LogSettings NO_LAG = lags(0, Long.MAX_VALUE);

    @Test
    void shouldCleanEverythingButTheActiveSegment() {
        Dirt dirt = CompactionPlanner.dirt(log(A, -1, committedUpTo(30), NO_LAG, 9, 9, 9), NOW);
        assertEquals(new Dirt(A, 0, 20, 0, 200, false), dirt);
        assertEquals(1.0, dirt.ratio());
    }

    @Test
    void shouldCountFromTheCheckpointOn() {
        Dirt dirt = CompactionPlanner.dirt(log(A, 20, committedUpTo(40), NO_LAG, 9, 9, 9, 9), NOW);
        assertEquals(new Dirt(A, 20, 30, 200, 100, false), dirt);
        assertFalse(dirt.due(0.5));
        assertTrue(dirt.due(0.3));
    }

    @Test
    void shouldStopBeforeTheSegmentOfAnOpenTransaction() {
        LogView open = new LogView(0, 15, 40, 40, 40);
        Dirt dirt = CompactionPlanner.dirt(log(A, -1, open, NO_LAG, 9, 9, 9, 9), NOW);
        assertEquals(10, dirt.firstUncleanableOffset());
        assertEquals(100, dirt.cleanableBytes());
    }

    @Test
    void shouldLeaveYoungSegmentsAlone() {
        LogSettings settings = lags(50, Long.MAX_VALUE);
        Dirt dirt =
                CompactionPlanner.dirt(log(A, -1, committedUpTo(40), settings, 90, 49, 90, 1), NOW);
        assertEquals(10, dirt.firstUncleanableOffset());
    }

    @Test
    void shouldBeDueWhenTheMaximumLagHasPassedWhateverTheRatio() {
        LogSettings settings = lags(0, 50);
        Dirt late =
                CompactionPlanner.dirt(
                        log(A, 30, committedUpTo(50), settings, 99, 99, 99, 51, 1), NOW);
        assertTrue(late.overdue());
        assertTrue(late.due(0.99));
        Dirt inTime =
                CompactionPlanner.dirt(
                        log(A, 30, committedUpTo(50), settings, 99, 99, 99, 49, 1), NOW);
        assertFalse(inTime.overdue());
    }

    @Test
    void shouldBeginAtTheLogStartWhenTheCheckpointIsOutsideTheLog() {
        LogView view = new LogView(10, 40, 40, 40, 40);
        for (long checkpoint : new long[] {-1, 5, 41}) {
            LogFacts facts = log(A, checkpoint, view, NO_LAG, 9, 9, 9, 9);
            assertEquals(10, CompactionPlanner.dirt(facts, NOW).firstDirtyOffset());
        }
    }

    @Test
    void shouldChooseTheDirtiestLogThatIsDue() {
        LogFacts half = log(A, 10, committedUpTo(30), NO_LAG, 9, 9, 9);
        LogFacts whole = log(B, -1, committedUpTo(30), NO_LAG, 9, 9, 9);
        assertEquals(
                B, CompactionPlanner.next(List.of(half, whole), NOW).orElseThrow().partition());
        assertTrue(CompactionPlanner.next(List.of(half), NOW).isEmpty(), "half is not more");
        LogFacts onlyActive = log(A, -1, committedUpTo(5), NO_LAG, 9);
        assertTrue(CompactionPlanner.next(List.of(onlyActive), NOW).isEmpty());
    }

    @Test
    void shouldMergeSegmentsUpToTheSegmentSize() {
        List<SegmentFacts> segments = segments(1, 1, 1, 1, 1);
        assertEquals(
                List.of(segments.subList(0, 2), segments.subList(2, 4), segments.subList(4, 5)),
                CompactionPlanner.groups(segments, settings(250, 0, 0), 50));
        assertEquals(5, CompactionPlanner.groups(segments, settings(50, 0, 0), 50).size());
    }

    @Test
    void shouldNotMergeOffsetsThatAreTooFarApart() {
        List<SegmentFacts> far =
                List.of(
                        new SegmentFacts(0, 10, () -> 0, () -> 0),
                        new SegmentFacts(Integer.MAX_VALUE, 10, () -> 0, () -> 0));
        assertEquals(
                1,
                CompactionPlanner.groups(far, settings(1000, 0, 0), Integer.MAX_VALUE + 1L).size());
        assertEquals(
                2,
                CompactionPlanner.groups(far, settings(1000, 0, 0), Integer.MAX_VALUE + 2L).size());
    }
}
