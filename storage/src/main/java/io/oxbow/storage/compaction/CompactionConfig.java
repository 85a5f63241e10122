// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.compaction;

/**
 * What the compactor of one directory may use (Kafka's names in parentheses).
 *
 * @param mapBytes most memory for the latest offset of each key; a log with more keys takes several
 *     runs (this directory's share of log.cleaner.dedupe.buffer.size)
 * @param mapLoadFactor (log.cleaner.io.buffer.load.factor)
 * @param chunkBytes read at once (log.cleaner.io.buffer.size)
 * @param bytesPerSecond reads and writes together (log.cleaner.io.max.bytes.per.second)
 * @param backoffMs pause when no log is due (log.cleaner.backoff.ms)
 */
public record CompactionConfig(
        long mapBytes,
        double mapLoadFactor,
        int chunkBytes,
        double bytesPerSecond,
        long backoffMs) {

    private static final long LEAST_MAP_BYTES = 1 << 20;

    /** Kafka 4.4's defaults. */
    public static final CompactionConfig DEFAULTS =
            new CompactionConfig(128L << 20, 0.9, 512 * 1024, Double.MAX_VALUE, 15_000);

    /** The part of one directory, where memory and bytes per second hold for all of them. */
    public CompactionConfig sharedBy(int directories) {
        return new CompactionConfig(
                Math.max(LEAST_MAP_BYTES, mapBytes / directories),
                mapLoadFactor,
                chunkBytes,
                bytesPerSecond / directories,
                backoffMs);
    }
}
