// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.log;

import io.oxbow.base.file.FileSystem;
import io.oxbow.storage.segment.SegmentFormat;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What one listing of a partition's folder shows.
 *
 * @param segments by base offset, which of a segment's files are there
 * @param snapshots offsets of the producer snapshots
 * @param orphans indexes without a segment, and leftovers
 */
record FolderListing(
        Map<Long, Set<String>> segments,
        TreeSet<Long> snapshots,
        boolean topicId,
        boolean leaderEpochs,
        Set<Path> orphans) {

    static FolderListing of(Path folder, FileSystem files) {
        TreeMap<Long, Set<String>> segments = new TreeMap<>();
        TreeSet<Long> snapshots = new TreeSet<>();
        Set<Path> orphans = new HashSet<>();
        boolean topicId = false;
        boolean epochs = false;
        for (Path path : files.list(folder)) {
            String name = path.getFileName().toString();
            long offset = SegmentFormat.offsetOf(name);
            if (offset < 0) {
                topicId |= name.equals(PartitionMetadataFormat.FILE_NAME);
                epochs |= name.equals(LeaderEpochFormat.FILE_NAME);
            } else {
                switch (SegmentFormat.kindOf(name)) {
                    case SegmentFormat.LOG,
                            SegmentFormat.INDEX,
                            SegmentFormat.TIME_INDEX,
                            SegmentFormat.TXN_INDEX ->
                            segments.computeIfAbsent(offset, key -> new HashSet<>())
                                    .add(SegmentFormat.kindOf(name));
                    case SegmentFormat.SNAPSHOT -> snapshots.add(offset);
                    default -> {
                        if (leftover(name)) orphans.add(path);
                    }
                }
            }
        }
        segments.forEach(
                (offset, kinds) -> {
                    if (kinds.contains(SegmentFormat.LOG)) return;
                    kinds.forEach(
                            kind -> orphans.add(folder.resolve(SegmentFormat.name(offset, kind))));
                });
        segments.values().removeIf(kinds -> !kinds.contains(SegmentFormat.LOG));
        return new FolderListing(segments, snapshots, topicId, epochs, orphans);
    }

    private static boolean leftover(String name) {
        return name.endsWith(SegmentFormat.DELETED)
                || name.endsWith(SegmentFormat.CLEANED)
                || name.endsWith(SegmentFormat.SWAP);
    }

    /** Whether no segment is there, and none was just being removed or exchanged. */
    boolean holdsNothing() {
        return segments.isEmpty()
                && orphans.stream().noneMatch(path -> leftover(path.getFileName().toString()));
    }

    /** Whether a crash left files of a change that was under way. */
    boolean needsRepair() {
        return !orphans.isEmpty();
    }
}
