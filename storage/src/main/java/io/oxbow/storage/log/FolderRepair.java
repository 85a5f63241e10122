// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.log;

import io.oxbow.base.file.FileSystem;
import io.oxbow.base.file.StoreFile;
import io.oxbow.storage.segment.BatchScanner;
import io.oxbow.storage.segment.SegmentFormat;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends what a crash interrupted in a partition's folder (the steps of {@link SegmentFormat}), by
 * Kafka's rules:
 *
 * <ul>
 *   <li>{@code .deleted} and {@code .cleaned} files are removed, and so are {@code .swap} files
 *       from the lowest {@code .cleaned} offset on: that replacement was not complete.
 *   <li>The other {@code .swap} files are complete: the segments that they cover are removed, then
 *       the swap files take their names.
 *   <li>Indexes without a segment are removed.
 * </ul>
 *
 * Repeating it after another crash leads to the same end. Owner, while opening.
 */
final class FolderRepair {
    private static final Logger log = LoggerFactory.getLogger(FolderRepair.class);

    private final Path folder;
    private final FileSystem files;

    FolderRepair(Path folder, FileSystem files) {
        this.folder = folder;
        this.files = files;
    }

    void run() {
        List<Path> all = files.list(folder);
        long minCleaned = Long.MAX_VALUE;
        List<Path> swaps = new ArrayList<>();
        for (Path path : all) {
            String name = name(path);
            if (name.endsWith(SegmentFormat.DELETED)) {
                remove(path, "was deleted");
            } else if (name.endsWith(SegmentFormat.CLEANED)) {
                minCleaned = Math.min(minCleaned, SegmentFormat.offsetOf(name));
                remove(path, "was not complete");
            } else if (name.endsWith(SegmentFormat.SWAP)) {
                swaps.add(path);
            }
        }
        long incompleteFrom = minCleaned;
        swaps.removeIf(
                path -> {
                    if (SegmentFormat.offsetOf(name(path)) < incompleteFrom) return false;
                    remove(path, "belongs to a replacement that was not complete");
                    return true;
                });
        if (!swaps.isEmpty()) complete(swaps);
        removeOrphans();
        files.syncDirectory(folder);
    }

    private void complete(List<Path> swaps) {
        long from = Long.MAX_VALUE;
        long to = -1;
        for (Path path : swaps) {
            if (!name(path).endsWith(SegmentFormat.LOG + SegmentFormat.SWAP)) continue;
            long base = SegmentFormat.offsetOf(name(path));
            from = Math.min(from, base);
            to = Math.max(to, endOffset(path, base));
        }
        for (Path path : files.list(folder)) {
            long offset = SegmentFormat.offsetOf(name(path));
            boolean swap = name(path).endsWith(SegmentFormat.SWAP);
            if (!swap && offset >= from && offset < to) remove(path, "was replaced");
        }
        for (Path path : swaps) {
            String name = name(path);
            String target = name.substring(0, name.length() - SegmentFormat.SWAP.length());
            log.info("Putting {} in its place", path);
            files.rename(path, folder.resolve(target));
        }
    }

    private long endOffset(Path segment, long base) {
        try (StoreFile file = files.open(segment, FileSystem.Mode.READ)) {
            BatchScanner scan = new BatchScanner(file, 0, file.size(), BatchScanner.WALK_CHUNK);
            long end = base;
            while (scan.next()) end = scan.lastOffset() + 1;
            return end;
        }
    }

    private void removeOrphans() {
        for (Path path : FolderListing.of(folder, files).orphans()) {
            remove(path, "belongs to no segment");
        }
    }

    private void remove(Path path, String why) {
        log.info("Removing {}: it {}", path, why);
        files.delete(path);
    }

    private static String name(Path path) {
        return path.getFileName().toString();
    }
}
