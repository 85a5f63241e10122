// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.lane;

import io.oxbow.storage.compaction.CompactionConfig;
import io.oxbow.storage.log.LogSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * What a broker's log directories need to know.
 *
 * @param directories {@code log.dirs}, in their order
 * @param metadataDirectory {@code metadata.log.dir}, or the first of {@code directories}
 * @param nodeId {@code node.id}
 * @param clusterId as formatted; null: taken from the directories
 * @param defaults settings of a log until its topic's are known
 * @param cordoned directories that take no new partitions ({@code cordoned.log.dirs})
 * @param placement {@code oxbow.log.dir.placement}: "space" or "count"
 * @param reserveBytes {@code oxbow.log.dir.reserve.bytes}: free bytes below which a directory is
 *     full; -1: 1 % of the volume or 1 GiB, whichever is smaller
 * @param strictDirectoryIds {@code oxbow.directory.ids.strict}
 * @param recoveryThreadsPerDirectory {@code num.recovery.threads.per.data.dir}
 * @param checkpointIntervalMs {@code log.flush.offset.checkpoint.interval.ms}
 * @param retentionCheckIntervalMs {@code log.retention.check.interval.ms}
 * @param compaction what all directories' compactors may use together; null: no compaction ({@code
 *     log.cleaner.enable=false})
 * @param laneInboxCapacity messages that may wait for one lane
 */
public record LogPoolConfig(
        List<Path> directories,
        Path metadataDirectory,
        int nodeId,
        String clusterId,
        LogSettings defaults,
        Set<Path> cordoned,
        String placement,
        long reserveBytes,
        boolean strictDirectoryIds,
        int recoveryThreadsPerDirectory,
        long checkpointIntervalMs,
        long retentionCheckIntervalMs,
        CompactionConfig compaction,
        int laneInboxCapacity) {}
