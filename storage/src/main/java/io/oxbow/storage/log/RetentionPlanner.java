// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.log;

import java.util.List;
import java.util.function.LongSupplier;

/**
 * Which segments retention removes: always the oldest ones, by the log's start, by age and by size
 * (Kafka's rules). Nothing above the high watermark goes; the active segment may go when it is too
 * old, after it was rolled. Pure.
 */
final class RetentionPlanner {
    private RetentionPlanner() {}

    /**
     * A segment, the oldest first.
     *
     * @param nextBaseOffset base offset of the next one; for the active segment the log's end
     * @param largestTimestampMs asked for only if age matters, as it may read the time index
     */
    record Candidate(
            long baseOffset,
            long nextBaseOffset,
            long sizeBytes,
            boolean active,
            LongSupplier largestTimestampMs) {}

    /** What bounds retention. */
    record Limits(long logStartOffset, long highWatermark, long nowMs) {}

    /** Number of segments, from the oldest on, to delete. */
    static int plan(List<Candidate> segments, LogSettings settings, Limits limits) {
        long total = segments.stream().mapToLong(Candidate::sizeBytes).sum();
        boolean bySize = settings.delete() && settings.retentionBytes() >= 0;
        boolean byAge = settings.delete() && settings.retentionMs() >= 0;
        int count = 0;
        for (Candidate segment : segments) {
            if (!removable(segment, limits)) break;
            boolean belowStart = !segment.active && segment.nextBaseOffset <= limits.logStartOffset;
            boolean tooMuch = bySize && total - segment.sizeBytes >= settings.retentionBytes();
            if (!belowStart && !tooMuch && !(byAge && tooOld(segment, settings, limits))) break;
            total -= segment.sizeBytes;
            count++;
        }
        return count;
    }

    private static boolean removable(Candidate segment, Limits limits) {
        return limits.highWatermark >= segment.nextBaseOffset
                && !(segment.active && segment.sizeBytes == 0);
    }

    private static boolean tooOld(Candidate segment, LogSettings settings, Limits limits) {
        long age = limits.nowMs - segment.largestTimestampMs.getAsLong();
        return age > settings.retentionMs();
    }
}
