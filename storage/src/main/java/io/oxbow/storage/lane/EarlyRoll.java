// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.lane;

import io.oxbow.storage.log.LogSettings;

/**
 * Whether a log's active segment is rolled before its time because its directory is short of room:
 * retention deletes whole closed segments only, so a log whose data may go must close it first
 * (spec 10 F1). It begins when the volume is half full, since retention by size can act only when
 * as much as it keeps has been written after the roll. Pure.
 */
final class EarlyRoll {
    /** Smaller segments are not worth their files. */
    private static final long LEAST_BYTES = 64 << 10;

    private EarlyRoll() {}

    /**
     * Whether retention would delete something if it were closed.
     *
     * @param sizeBytes of the whole log
     * @param msSinceRoll time since it was last rolled early
     */
    static boolean due(LogSettings settings, long sizeBytes, long msSinceRoll) {
        if (!settings.delete()) return false;
        boolean bySize = settings.retentionBytes() >= 0 && sizeBytes > settings.retentionBytes();
        boolean byTime = settings.retentionMs() >= 0 && msSinceRoll >= settings.retentionMs() / 4;
        return bySize || byTime;
    }

    /**
     * Whether the active segment is large enough to be closed: a quarter of what retention keeps,
     * so that a log has about five segments and not more.
     */
    static boolean worthIt(LogSettings settings, long activeBytes) {
        return activeBytes >= Math.max(LEAST_BYTES, settings.retentionBytes() / 4);
    }
}
