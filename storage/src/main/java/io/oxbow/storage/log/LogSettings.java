// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.log;

/**
 * The settings of one log that the engine acts on, from the topic's and the broker's configuration
 * (Kafka's names in parentheses). Immutable; replaced as a whole when the configuration changes.
 *
 * @param segmentBytes a segment is rolled before it grows beyond (segment.bytes)
 * @param segmentMs a segment is rolled when its first record is older (segment.ms)
 * @param segmentJitterMs up to this much is taken off segmentMs at random (segment.jitter.ms)
 * @param segmentIndexBytes most bytes of an offset or time index (segment.index.bytes)
 * @param indexIntervalBytes log bytes between two index entries (index.interval.bytes)
 * @param retentionBytes -1 for no limit (retention.bytes)
 * @param retentionMs -1 for no limit (retention.ms)
 * @param maxMessageBytes largest batch (max.message.bytes)
 * @param flushMessages records between two syncs; 1: every append is synced before it is
 *     acknowledged (flush.messages)
 * @param flushMs most time between two syncs (flush.ms)
 * @param compact cleanup.policy contains compact
 * @param delete cleanup.policy contains delete
 * @param minCompactionLagMs (min.compaction.lag.ms)
 * @param maxCompactionLagMs (max.compaction.lag.ms)
 * @param minCleanableDirtyRatio 0 to 1 (min.cleanable.dirty.ratio)
 * @param deleteRetentionMs how long tombstones stay (delete.retention.ms)
 * @param fileDeleteDelayMs how long deleted files linger (file.delete.delay.ms)
 * @param compressionType "producer" or a codec's name (compression.type)
 * @param compressionLevel codec's level, {@link Integer#MIN_VALUE} for its default
 *     (compression.gzip.level, .lz4., .zstd.)
 * @param logAppendTime message.timestamp.type is LogAppendTime
 * @param timestampBeforeMaxMs (message.timestamp.before.max.ms)
 * @param timestampAfterMaxMs (message.timestamp.after.max.ms)
 * @param producerIdExpirationMs (producer.id.expiration.ms)
 * @param preallocate (preallocate)
 */
public record LogSettings(
        int segmentBytes,
        long segmentMs,
        long segmentJitterMs,
        int segmentIndexBytes,
        int indexIntervalBytes,
        long retentionBytes,
        long retentionMs,
        int maxMessageBytes,
        long flushMessages,
        long flushMs,
        boolean compact,
        boolean delete,
        long minCompactionLagMs,
        long maxCompactionLagMs,
        double minCleanableDirtyRatio,
        long deleteRetentionMs,
        long fileDeleteDelayMs,
        String compressionType,
        int compressionLevel,
        boolean logAppendTime,
        long timestampBeforeMaxMs,
        long timestampAfterMaxMs,
        int producerIdExpirationMs,
        boolean preallocate) {

    /** Kafka 4.4's defaults for a topic without configuration. */
    public static final LogSettings DEFAULTS =
            new LogSettings(
                    1 << 30,
                    7 * 24 * 3_600_000L,
                    0,
                    10 << 20,
                    4096,
                    -1,
                    7 * 24 * 3_600_000L,
                    1_048_588,
                    Long.MAX_VALUE,
                    Long.MAX_VALUE,
                    false,
                    true,
                    0,
                    Long.MAX_VALUE,
                    0.5,
                    24 * 3_600_000L,
                    60_000,
                    "producer",
                    Integer.MIN_VALUE,
                    false,
                    Long.MAX_VALUE,
                    3_600_000L,
                    24 * 3_600_000,
                    false);
}
