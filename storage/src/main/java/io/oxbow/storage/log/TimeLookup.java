// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.log;

import io.oxbow.base.error.CorruptException;
import io.oxbow.storage.batch.BatchFormat;
import io.oxbow.storage.batch.OpenedBatch;
import io.oxbow.storage.segment.BatchScanner;
import io.oxbow.storage.segment.Segment;
import io.oxbow.storage.segment.SharedFile;

/** Finds offsets by time in one published state of a log. Used once; blocks. */
final class TimeLookup {
    private final LogState state;

    TimeLookup(LogState state) {
        this.state = state;
    }

    /** The first record from the log start on whose timestamp is at least {@code timestampMs}. */
    TimestampOffset first(long timestampMs) {
        for (int i = 0; i < state.segments().length; i++) {
            boolean active = i == state.segments().length - 1;
            Segment segment = state.segments()[i];
            if (!active && segment.largestTimestampMs() < timestampMs) continue;
            TimestampOffset found = firstIn(i, timestampMs);
            if (found != null) return found;
        }
        return TimestampOffset.NONE;
    }

    private TimestampOffset firstIn(int number, long timestampMs) {
        Segment segment = state.segments()[number];
        long start = state.view().logStartOffset();
        long from = segment.positionForTimestamp(timestampMs, start);
        return walk(
                number,
                from,
                scan ->
                        scan.maxTimestampMs() >= timestampMs && scan.lastOffset() >= start
                                ? open(scan).firstSince(timestampMs, start)
                                : null);
    }

    /** The first of the records with the largest timestamp of the log. */
    TimestampOffset largest() {
        int best = -1;
        long bestTimestampMs = -1;
        for (int i = 0; i < state.segments().length; i++) {
            if (state.end(i) == 0) continue;
            long largest = largestOf(i);
            if (largest > bestTimestampMs) {
                best = i;
                bestTimestampMs = largest;
            }
        }
        if (best < 0) return TimestampOffset.NONE;
        long wanted = bestTimestampMs;
        TimestampOffset found = firstIn(best, wanted);
        return found == null ? TimestampOffset.NONE : found;
    }

    private long largestOf(int number) {
        Segment segment = state.segments()[number];
        long indexed = segment.lastTimeEntry().timestampMs();
        if (number < state.segments().length - 1) return indexed;
        long[] largest = {indexed};
        walk(
                number,
                segment.lastIndexedPosition(),
                scan -> {
                    largest[0] = Math.max(largest[0], scan.maxTimestampMs());
                    return null;
                });
        return largest[0];
    }

    /** What is asked of each batch; anything but null ends the walk. */
    private interface Question {
        OpenedBatch.Found ask(BatchScanner scan) throws OpenedBatch.Unreadable;
    }

    private TimestampOffset walk(int number, long from, Question question) {
        Segment segment = state.segments()[number];
        SharedFile.Handle handle = segment.acquireLog(true);
        try {
            BatchScanner scan = segment.scan(handle.file(), from, state.end(number));
            while (scan.next()) {
                OpenedBatch.Found found = question.ask(scan);
                if (found != null) {
                    return new TimestampOffset(
                            found.timestampMs(),
                            found.offset(),
                            BatchFormat.leaderEpoch(scan.header(), scan.at()));
                }
            }
            return null;
        } catch (OpenedBatch.Unreadable failure) {
            throw new CorruptException(
                    segment.logPath() + " holds records that cannot be read", failure);
        } finally {
            handle.release();
        }
    }

    private static OpenedBatch open(BatchScanner scan) {
        return OpenedBatch.of(scan.whole(), 0, scan.sizeBytes());
    }
}
