// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.log;

/**
 * An offset found by time.
 *
 * @param timestampMs the record's time-stamp, -1 if not asked for
 * @param offset -1 if no record matches
 * @param leaderEpoch epoch that the record was written in, -1 if not known
 */
public record TimestampOffset(long timestampMs, long offset, int leaderEpoch) {
    public static final TimestampOffset NONE = new TimestampOffset(-1, -1, -1);
}
