// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.dir;

import io.oxbow.base.file.FileSystem;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a directory holds at start: one listing and its checkpoints; no folder is opened.
 *
 * @param logs partitions whose folders are there
 * @param vanished partitions that the checkpoints know with records and whose folders are gone
 * @param deleted left-over {@code -delete} folders, to be removed
 * @param unfinished left-over {@code -future} folders of moves that were cut short
 * @param recoveryPoints by {@link OffsetCheckpoint#RECOVERY_POINT}, only for {@code logs}
 * @param logStarts by {@link OffsetCheckpoint#LOG_START}, only for {@code logs}
 * @param highWatermarks by {@link OffsetCheckpoint#HIGH_WATERMARK}, only for {@code logs}
 * @param clean whether it was closed cleanly
 * @param brokerEpoch of the clean close, or {@link CleanShutdownFormat#UNKNOWN_EPOCH}
 */
public record DirectoryInventory(
        List<TopicPartition> logs,
        List<TopicPartition> vanished,
        List<Path> deleted,
        List<Path> unfinished,
        Map<TopicPartition, Long> recoveryPoints,
        Map<TopicPartition, Long> logStarts,
        Map<TopicPartition, Long> highWatermarks,
        boolean clean,
        long brokerEpoch) {

    /** The metadata log's folder; the raft module owns it. */
    public static final String METADATA_TOPIC = "__cluster_metadata";

    private static final Logger log = LoggerFactory.getLogger(DirectoryInventory.class);

    private static final Comparator<TopicPartition> BY_NAME =
            Comparator.comparing(TopicPartition::topic).thenComparingInt(TopicPartition::partition);

    /** Reads it. Blocks; changes nothing. */
    public static DirectoryInventory take(FileSystem files, Path directory) {
        List<TopicPartition> logs = new ArrayList<>();
        Set<TopicPartition> found = new HashSet<>();
        List<Path> deleted = new ArrayList<>();
        List<Path> unfinished = new ArrayList<>();
        boolean clean = false;
        for (Path entry : files.list(directory)) {
            String name = entry.getFileName().toString();
            if (name.equals(CleanShutdownFormat.FILE_NAME)) clean = true;
            LogFolderName folder = LogFolderName.parse(name);
            if (folder.partition() != null) found.add(folder.partition());
            switch (folder.kind()) {
                case LOG -> {
                    if (!folder.partition().topic().equals(METADATA_TOPIC)) {
                        logs.add(folder.partition());
                    }
                }
                case DELETED -> deleted.add(entry);
                case FUTURE -> unfinished.add(entry);
                case STRAY -> log.info("{} was set aside earlier and is left alone", entry);
                case OTHER -> {}
            }
        }
        Map<TopicPartition, Long> recoveryPoints =
                read(files, directory, OffsetCheckpoint.RECOVERY_POINT);
        Map<TopicPartition, Long> highWatermarks =
                read(files, directory, OffsetCheckpoint.HIGH_WATERMARK);
        return new DirectoryInventory(
                logs,
                vanished(directory, found, List.of(recoveryPoints, highWatermarks)),
                deleted,
                unfinished,
                only(logs, recoveryPoints),
                only(logs, read(files, directory, OffsetCheckpoint.LOG_START)),
                only(logs, highWatermarks),
                clean,
                clean ? brokerEpoch(files, directory) : CleanShutdownFormat.UNKNOWN_EPOCH);
    }

    /** Says which they are: whoever removed them may not know what that costs. */
    private static List<TopicPartition> vanished(
            Path directory,
            Set<TopicPartition> found,
            List<Map<TopicPartition, Long>> checkpoints) {
        Set<TopicPartition> gone = new TreeSet<>(BY_NAME);
        for (Map<TopicPartition, Long> offsets : checkpoints) {
            offsets.forEach(
                    (partition, offset) -> {
                        if (offset > 0 && !found.contains(partition)) gone.add(partition);
                    });
        }
        if (gone.isEmpty()) return List.of();
        log.warn(
                "{} held {} partitions by its checkpoints whose folders are gone: {}. If they were"
                        + " not deleted on purpose their replicas here are lost.",
                directory,
                gone.size(),
                gone);
        return List.copyOf(gone);
    }

    private static long brokerEpoch(FileSystem files, Path directory) {
        return CleanShutdownFormat.parse(
                files.readAll(directory.resolve(CleanShutdownFormat.FILE_NAME)));
    }

    private static Map<TopicPartition, Long> read(FileSystem files, Path directory, String name) {
        return new OffsetCheckpoint(files, directory, name).read();
    }

    private static Map<TopicPartition, Long> only(
            List<TopicPartition> logs, Map<TopicPartition, Long> all) {
        Map<TopicPartition, Long> wanted = HashMap.newHashMap(logs.size());
        for (TopicPartition partition : logs) {
            Long offset = all.get(partition);
            if (offset != null) wanted.put(partition, offset);
        }
        return wanted;
    }
}
