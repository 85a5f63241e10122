// SPDX-License-Identifier: Apache-2.0
package io.oxbow.metadata.raft;

import io.oxbow.storage.log.LogSettings;

/**
 * Sizes and ages of the metadata log and its snapshots (Kafka's names in parentheses).
 *
 * @param segmentBytes a segment is rolled before it grows beyond (metadata.log.segment.bytes)
 * @param segmentMs a segment is rolled when it is older (metadata.log.segment.ms)
 * @param retentionBytes of log and snapshots together, -1 for no limit
 *     (metadata.max.retention.bytes)
 * @param retentionMs age of a snapshot, -1 for no limit (metadata.max.retention.ms)
 * @param maxBatchBytes largest batch of records
 * @param deleteDelayMs how long a snapshot that was given up lingers, for readers that have it open
 */
public record MetadataLogLimits(
        int segmentBytes,
        long segmentMs,
        long retentionBytes,
        long retentionMs,
        int maxBatchBytes,
        long deleteDelayMs) {

    /** Kafka 4.4's defaults. */
    public static final MetadataLogLimits DEFAULTS =
            new MetadataLogLimits(
                    1 << 30, 7 * 24 * 3_600_000L, 100L << 20, 7 * 24 * 3_600_000L, 8 << 20, 60_000);

    /** What the storage engine acts on: only snapshots retire segments, never time or size. */
    LogSettings logSettings() {
        LogSettings base = LogSettings.DEFAULTS;
        return new LogSettings(
                segmentBytes,
                segmentMs,
                0,
                base.segmentIndexBytes(),
                base.indexIntervalBytes(),
                -1,
                -1,
                maxBatchBytes,
                Long.MAX_VALUE,
                Long.MAX_VALUE,
                false,
                true,
                0,
                Long.MAX_VALUE,
                base.minCleanableDirtyRatio(),
                base.deleteRetentionMs(),
                base.fileDeleteDelayMs(),
                base.compressionType(),
                base.compressionLevel(),
                false,
                Long.MAX_VALUE,
                Long.MAX_VALUE,
                Integer.MAX_VALUE,
                false);
    }
}
