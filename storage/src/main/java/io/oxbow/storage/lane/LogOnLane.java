// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.lane;

import io.oxbow.storage.log.AppendOutcome;
import io.oxbow.storage.log.LogSettings;
import io.oxbow.storage.log.LogView;

/** What a lane notes about one of its logs between and within turns. Lane only. */
final class LogOnLane {
    private static final int NOT_LEADING = -1;

    LogSettings settings;

    /** Whether {@code settings} are the topic's own: until then nothing may be deleted. */
    boolean configured;

    /** Of the last {@code lead} or {@code follow}; appends of older leaders are refused. */
    int leaderEpoch = NOT_LEADING;

    /** The high watermark follows the log end. */
    boolean soleReplica;

    // ---- within a turn ----
    /** Something is staged. */
    boolean touched;

    /** Answers all appends of this turn, because the write failed. */
    AppendOutcome.Refused refusal;

    /** Queued for its watchers to be told. */
    boolean moved;

    // ---- across turns ----
    private long toldHighWatermark;
    private long toldLastStable;
    private long rolledAtMs;
    private long syncedAtMs;

    LogOnLane(LogSettings settings, LogView view, long wallMs) {
        this.settings = settings;
        toldHighWatermark = view.highWatermark();
        toldLastStable = view.lastStableOffset();
        rolledAtMs = wallMs;
        syncedAtMs = wallMs;
    }

    /** Whether watchers have something new to see; then it counts as told. */
    boolean takeMovement(LogView view) {
        if (view.highWatermark() == toldHighWatermark && view.lastStableOffset() == toldLastStable)
            return false;
        toldHighWatermark = view.highWatermark();
        toldLastStable = view.lastStableOffset();
        return true;
    }

    boolean mayRollEarly(long sizeBytes, long wallMs) {
        return EarlyRoll.due(settings, sizeBytes, wallMs - rolledAtMs);
    }

    /** The active segment was rolled early. */
    void rolled(long wallMs) {
        rolledAtMs = wallMs;
    }

    /** {@code flush.ms} has passed. */
    boolean timedSyncDue(long wallMs) {
        return settings.flushMs() != Long.MAX_VALUE && wallMs - syncedAtMs >= settings.flushMs();
    }

    void synced(long wallMs) {
        syncedAtMs = wallMs;
    }
}
