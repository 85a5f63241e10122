// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.lane;

import io.oxbow.base.error.DiskException;
import io.oxbow.base.file.FileSystem;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Folders of deleted logs ({@code -delete}) whose files go later: a few files at a time, so that
 * unlinking large ones does not hold up appends for long. Lane only.
 */
final class DeletedFolders {
    private record Folder(Path path, long dueMs) {}

    /** Files unlinked in one go. */
    private static final int SLICE_FILES = 32;

    private static final Logger log = LoggerFactory.getLogger(DeletedFolders.class);

    private final FileSystem files;
    private final PriorityQueue<Folder> waiting =
            new PriorityQueue<>(Comparator.comparingLong(Folder::dueMs));

    /** Files of the folder that is being removed, the folder itself last. */
    private final Deque<Path> removing = new ArrayDeque<>();

    DeletedFolders(FileSystem files) {
        this.files = files;
    }

    /**
     * @param dueMs wall-clock time from which it may be removed
     */
    void add(Path folder, long dueMs) {
        waiting.add(new Folder(folder, dueMs));
    }

    boolean isEmpty() {
        return waiting.isEmpty() && removing.isEmpty();
    }

    /**
     * Removes a slice of what is due.
     *
     * @param wallMs now; {@link Long#MAX_VALUE}: everything is due, for the room it takes
     * @return whether more is due
     */
    boolean removeSlice(long wallMs) {
        int removed = 0;
        while (removed < SLICE_FILES) {
            if (removing.isEmpty() && !begin(wallMs)) return false;
            Path next = removing.poll();
            remove(next);
            removed++;
        }
        return true;
    }

    private boolean begin(long wallMs) {
        Folder first = waiting.peek();
        if (first == null || first.dueMs() > wallMs) return false;
        waiting.poll();
        try {
            List<Path> content = files.list(first.path());
            removing.addAll(content);
        } catch (DiskException failure) {
            if (failure.kind() != DiskException.Kind.MISSING) {
                log.warn("Cannot list {}; the next start removes it", first.path(), failure);
            }
        }
        removing.add(first.path());
        return true;
    }

    private void remove(Path path) {
        try {
            files.delete(path);
        } catch (DiskException failure) {
            log.warn("Cannot delete {}; the next start tries again", path, failure);
        }
    }
}
