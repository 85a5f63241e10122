// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.lane;

import java.nio.file.Path;
import org.apache.kafka.common.Uuid;

/**
 * What a lane has measured; a snapshot, cheap to take, also while the lane is stalled. Times follow
 * the last minute or so; percentiles are exact to a factor of two.
 *
 * @param queued messages that wait in the inbox
 * @param queueCapacity most that may
 * @param appends appends written since the start
 * @param appendedBytes bytes of them
 * @param bytesPerSecond recent write load
 * @param writes gathering writes since the start
 * @param syncs syncs since the start
 * @param writeP99Micros of one gathering write
 * @param syncP99Micros of one sync
 * @param busyMs how long the lane has been in its present turn, 0 if idle: grows while a disk
 *     stalls
 * @param readsWaiting reads that wait for a reader
 */
public record LaneMetrics(
        Path directory,
        Uuid directoryId,
        DirectoryStatus.State state,
        int queued,
        int queueCapacity,
        long appends,
        long appendedBytes,
        double bytesPerSecond,
        long writes,
        long syncs,
        long writeP99Micros,
        long syncP99Micros,
        long busyMs,
        int readsWaiting) {}
