// SPDX-License-Identifier: Apache-2.0
package io.oxbow.coordination.runtime;

import io.oxbow.storage.log.AppendOutcome;
import java.util.ArrayDeque;

/**
 * The appends to one partition, at one leadership, that a lane has and has not answered, and what
 * the coordinator may believe of them.
 *
 * <p>The partition has no other writer, so where the log will end is known before it does: that is
 * promised to the runtime when a lane takes its time. A promised append that fails, or ends
 * elsewhere, breaks the line: the coordinator's state is then ahead of the log and has to be loaded
 * again, and nothing at or above the first broken promise may count as committed, although later
 * appends may have taken its offsets. {@link #committedLimit} sees to that.
 *
 * <p>Its own lock guards it, held for a few instructions: a runtime's thread adds, the lane
 * answers, whoever tells the high watermark reads. A message would come too late for any of them.
 */
final class AppendLine {
    private final LeaderLog log;
    private final ArrayDeque<HandedAppend> open = new ArrayDeque<>();
    private long nextOffset;

    /** Where the first promise that was broken began. */
    private long brokenAt = Long.MAX_VALUE;

    AppendLine(LeaderLog log) {
        this.log = log;
    }

    boolean isOf(LeaderLog other) {
        return log.equals(other);
    }

    synchronized boolean isIdle() {
        return open.isEmpty();
    }

    synchronized boolean isBroken() {
        return brokenAt < Long.MAX_VALUE;
    }

    /** Whether the lane has had an append for longer than that. */
    synchronized boolean isStalled(long nowNanos, long timeoutNanos) {
        return !open.isEmpty() && nowNanos - open.getFirst().startNanos > timeoutNanos;
    }

    /** Notes an append that is about to be handed to the lane. */
    synchronized HandedAppend add(int records, long nowNanos) {
        if (open.isEmpty()) nextOffset = log.view().endOffset();
        long start = nextOffset;
        nextOffset += records;
        HandedAppend append = new HandedAppend(start, nextOffset, nowNanos);
        open.addLast(append);
        return append;
    }

    /** The lane did not take the append that was added last. */
    synchronized void remove(HandedAppend append) {
        if (open.remove(append)) nextOffset = append.startOffset;
    }

    /** What has become of an append, or null: then its end offset counts as promised. */
    synchronized AppendOutcome outcomeOrPromise(HandedAppend append) {
        if (append.outcome == null) append.promised = true;
        return append.outcome;
    }

    /**
     * The lane has answered.
     *
     * @return false if this broke a promise
     */
    synchronized boolean answer(HandedAppend append, AppendOutcome outcome) {
        open.remove(append);
        append.outcome = outcome;
        append.wake();
        boolean asPromised =
                outcome instanceof AppendOutcome.Appended appended
                        && appended.lastOffset() + 1 == append.endOffset;
        if (asPromised || !append.promised) return true;
        brokenAt = Math.min(brokenAt, append.startOffset);
        return false;
    }

    /** Up to where the log's high watermark may be believed. */
    synchronized long committedLimit() {
        return open.isEmpty() ? brokenAt : Math.min(brokenAt, open.getFirst().startOffset);
    }
}
