// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.lane;

import io.oxbow.base.file.FileSystem;
import io.oxbow.storage.dir.DirectoryInventory;
import io.oxbow.storage.dir.OffsetCheckpoint;
import io.oxbow.storage.log.LogView;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/**
 * The checkpoints of one directory. What was read at start for a log that is not recovered yet is
 * carried over into each write, so that a kill during recovery loses nothing. Lane only.
 */
final class LaneCheckpoints {
    private final OffsetCheckpoint recoveryPoints;
    private final OffsetCheckpoint logStarts;
    private final OffsetCheckpoint highWatermarks;

    /** Offsets of logs that are not on the lane yet or any more, by kind. */
    private final Map<TopicPartition, Long> carriedRecoveryPoints;

    private final Map<TopicPartition, Long> carriedLogStarts;
    private final Map<TopicPartition, Long> carriedHighWatermarks;

    // What the files hold; null if that is not known.
    private Map<TopicPartition, Long> writtenRecoveryPoints;
    private Map<TopicPartition, Long> writtenLogStarts;
    private Map<TopicPartition, Long> writtenHighWatermarks;

    LaneCheckpoints(FileSystem files, Path directory, DirectoryInventory inventory) {
        recoveryPoints = new OffsetCheckpoint(files, directory, OffsetCheckpoint.RECOVERY_POINT);
        logStarts = new OffsetCheckpoint(files, directory, OffsetCheckpoint.LOG_START);
        highWatermarks = new OffsetCheckpoint(files, directory, OffsetCheckpoint.HIGH_WATERMARK);
        carriedRecoveryPoints = new HashMap<>(inventory.recoveryPoints());
        carriedLogStarts = new HashMap<>(inventory.logStarts());
        carriedHighWatermarks = new HashMap<>(inventory.highWatermarks());
    }

    /** From now on the log speaks for itself (or is gone). */
    void release(TopicPartition partition) {
        carriedRecoveryPoints.remove(partition);
        carriedLogStarts.remove(partition);
        carriedHighWatermarks.remove(partition);
    }

    /** The opposite: a log that leaves the lane and stays on the disk. */
    void carry(HostedLog log) {
        LogView view = log.view();
        carriedRecoveryPoints.put(log.topicPartition(), view.recoveryPoint());
        if (view.logStartOffset() > 0) {
            carriedLogStarts.put(log.topicPartition(), view.logStartOffset());
        }
        carriedHighWatermarks.put(log.topicPartition(), view.highWatermark());
    }

    /**
     * Whether a file may still hold offsets of this partition: then a new log of that name must not
     * be written before they are gone, or it would count as durable where it is not.
     */
    boolean mayRemember(TopicPartition partition) {
        if (writtenRecoveryPoints == null || writtenLogStarts == null) return true;
        if (writtenHighWatermarks == null) return true;
        return writtenRecoveryPoints.containsKey(partition)
                || writtenLogStarts.containsKey(partition)
                || writtenHighWatermarks.containsKey(partition);
    }

    /** Whether the file may say that a log is durable beyond {@code offset}. */
    boolean mayTrustBeyond(TopicPartition partition, long offset) {
        if (writtenRecoveryPoints == null) return true;
        return writtenRecoveryPoints.getOrDefault(partition, 0L) > offset;
    }

    /** Replaces those files whose content has changed. */
    void write(Collection<HostedLog> logs) {
        Map<TopicPartition, Long> recovery = new HashMap<>(carriedRecoveryPoints);
        Map<TopicPartition, Long> high = new HashMap<>(carriedHighWatermarks);
        for (HostedLog log : logs) {
            LogView view = log.view();
            recovery.put(log.topicPartition(), view.recoveryPoint());
            high.put(log.topicPartition(), view.highWatermark());
        }
        writeLogStarts(logs);
        if (!recovery.equals(writtenRecoveryPoints)) {
            writtenRecoveryPoints = null;
            recoveryPoints.write(recovery);
            writtenRecoveryPoints = recovery;
        }
        if (!high.equals(writtenHighWatermarks)) {
            writtenHighWatermarks = null;
            highWatermarks.write(high);
            writtenHighWatermarks = high;
        }
    }

    /** Only the log starts: after DeleteRecords, before it is answered. */
    void writeLogStarts(Collection<HostedLog> logs) {
        Map<TopicPartition, Long> starts = new HashMap<>(carriedLogStarts);
        for (HostedLog log : logs) {
            long start = log.view().logStartOffset();
            if (start > 0) starts.put(log.topicPartition(), start);
        }
        if (starts.equals(writtenLogStarts)) return;
        writtenLogStarts = null;
        logStarts.write(starts);
        writtenLogStarts = starts;
    }
}
