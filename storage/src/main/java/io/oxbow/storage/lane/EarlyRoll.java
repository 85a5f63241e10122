// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.lane;

import io.oxbow.storage.log.LogSettings;

/**
 * Whether a log's active segment is rolled before its time because its directory is short of room:
 * retention deletes whole closed segments only, so a log whose data may go must close it first
 * (spec 10 F1). Pure.
 */
final class EarlyRoll {
    /** Smaller segments are not worth their files. */
    private static final long LEAST_BYTES = 64 << 10;

    private EarlyRoll() {}

    /**
     * @param sizeBytes of the whole log
     * @param bytesSinceRoll written since it was last rolled here
     * @param msSinceRoll time since then
     */
    static boolean due(
            LogSettings settings, long sizeBytes, long bytesSinceRoll, long msSinceRoll) {
        if (!settings.delete() || bytesSinceRoll <= 0) return false;
        boolean bySize =
                settings.retentionBytes() >= 0
                        && sizeBytes > settings.retentionBytes()
                        && bytesSinceRoll >= Math.max(LEAST_BYTES, settings.retentionBytes() / 4);
        boolean byTime =
                settings.retentionMs() >= 0
                        && bytesSinceRoll >= LEAST_BYTES
                        && msSinceRoll >= settings.retentionMs() / 4;
        return bySize || byTime;
    }
}
