// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.log;

import io.oxbow.base.error.DiskException;
import io.oxbow.base.file.FileSystem;
import io.oxbow.base.file.StoreFile;
import io.oxbow.storage.segment.Segment;
import java.nio.file.Path;
import java.util.List;

/**
 * What has to be synced so that everything below {@link #endOffset} is durable. Made and finished
 * by the owner of the log ({@link PartitionLog#beginFlush}, {@link PartitionLog#finishFlush});
 * {@link #sync} may run on another thread in between, so that the owner need not wait for the disk.
 */
public final class FlushPlan {
    private final FileSystem files;
    private final List<Segment> segments;
    private final List<Path> smallFiles;

    /** To be synced as well, null if no file was made. */
    private final Path folder;

    private final long endOffset;
    private final long generation;

    FlushPlan(
            FileSystem files,
            List<Segment> segments,
            List<Path> smallFiles,
            Path folder,
            long endOffset,
            long generation) {
        this.files = files;
        this.folder = folder;
        this.segments = segments;
        this.smallFiles = smallFiles;
        this.endOffset = endOffset;
        this.generation = generation;
    }

    long endOffset() {
        return endOffset;
    }

    long generation() {
        return generation;
    }

    /** Nothing has to be synced. */
    boolean isEmpty() {
        return segments.isEmpty() && smallFiles.isEmpty() && folder == null;
    }

    /** Makes it durable; blocks. Files that were deleted meanwhile count as done. */
    public void sync() {
        for (Segment segment : segments) segment.syncFiles();
        for (Path small : smallFiles) syncIfThere(small);
        // New segments and small files are durable only with their names.
        if (folder != null) files.syncDirectory(folder);
    }

    private void syncIfThere(Path path) {
        try (StoreFile file = files.open(path, FileSystem.Mode.READ)) {
            file.sync();
        } catch (DiskException failure) {
            if (failure.kind() != DiskException.Kind.MISSING) throw failure;
        }
    }
}
