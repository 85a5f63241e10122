// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.log;

import io.oxbow.base.file.FileSystem;
import java.nio.file.Path;

/**
 * The leader epochs of a log and their checkpoint file. Owned by the owner of the log; {@link
 * #epochs} is read by any thread.
 *
 * <p>An assigned epoch is written before its first batch: until then a crash loses nothing, as an
 * epoch without batches is dropped at the next start anyway. So a broker that becomes leader of
 * thousands of partitions need not sync as many files.
 */
final class LeaderEpochFile {
    private final FileSystem files;
    private Path folder;

    /** Replaced by the owner, read by any thread: a message per question would cost more. */
    private volatile LeaderEpochs epochs;

    /** The file lags behind {@link #epochs}. */
    private boolean unsaved;

    /**
     * Takes over what opening the log has found.
     *
     * @param epochs as the file has them
     */
    LeaderEpochFile(FileSystem files, Path folder, LeaderEpochs epochs) {
        this.files = files;
        this.folder = folder;
        this.epochs = epochs;
    }

    /** Any thread. */
    LeaderEpochs epochs() {
        return epochs;
    }

    /** {@code epoch} begins at {@code startOffset}; {@link #save} must come before its batches. */
    void assign(int epoch, long startOffset) {
        replace(epochs.assign(epoch, startOffset));
    }

    void truncateFromStart(long startOffset) {
        shorten(epochs.truncateFromStart(startOffset));
    }

    void truncateFromEnd(long endOffset) {
        shorten(epochs.truncateFromEnd(endOffset));
    }

    void clear() {
        shorten(LeaderEpochs.NONE);
    }

    /** Makes the file say what is in memory, durably. */
    void save() {
        if (!unsaved) return;
        files.writeAtomically(
                folder.resolve(LeaderEpochFormat.FILE_NAME), LeaderEpochFormat.encode(epochs));
        unsaved = false;
    }

    void movedTo(Path newFolder) {
        folder = newFolder;
    }

    private void replace(LeaderEpochs next) {
        if (next == epochs) return;
        epochs = next;
        unsaved = true;
    }

    /** Entries that a full disk keeps in the file are dropped at the next start. */
    private void shorten(LeaderEpochs next) {
        replace(next);
        FullDisk.tolerate(folder, this::save);
    }
}
