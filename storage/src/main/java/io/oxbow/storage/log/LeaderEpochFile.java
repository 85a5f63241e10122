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
 * thousands of partitions need not write as many files.
 *
 * <p>It is synced with the batches, by the flush that makes them durable: recovery finds the epochs
 * of those that are not in the batches themselves.
 */
final class LeaderEpochFile {
    private final FileSystem files;
    private final Path folder;

    /** Replaced by the owner, read by any thread: a message per question would cost more. */
    private volatile LeaderEpochs epochs;

    /** What the file says, null if it says more than was found to hold. */
    private LeaderEpochs inFile;

    /** The file was written and is not durable. */
    private boolean unsynced;

    /**
     * Takes over what opening the log has found.
     *
     * @param saved whether the file says the same; else it is written before the next batches
     */
    LeaderEpochFile(FileSystem files, Path folder, LeaderEpochs epochs, boolean saved) {
        this.files = files;
        this.folder = folder;
        this.epochs = epochs;
        this.inFile = saved ? epochs : null;
    }

    /** Any thread. */
    LeaderEpochs epochs() {
        return epochs;
    }

    /** {@code epoch} begins at {@code startOffset}; {@link #save} must come before its batches. */
    void assign(int epoch, long startOffset) {
        epochs = epochs.assign(epoch, startOffset);
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

    /** Makes the file say what is in memory; durable with the next flush. */
    void save() {
        if (epochs.sameAs(inFile)) return;
        files.replace(path(), LeaderEpochFormat.encode(epochs));
        inFile = epochs;
        unsynced = true;
    }

    /**
     * As {@link #save} when the log closes. An epoch that has no batches is left out: the next
     * start would only have to take it out again, and a broker that leads thousands of partitions
     * without being written to would write as many files at each stop and each start.
     */
    void saveThoseBelow(long endOffset) {
        epochs = epochs.truncateFromEnd(endOffset);
        save();
    }

    /** Whether the next flush has to sync it; then it counts as done. */
    boolean takeUnsynced() {
        boolean was = unsynced;
        unsynced = false;
        return was;
    }

    private void saveDurably() {
        files.writeAtomically(path(), LeaderEpochFormat.encode(epochs));
        inFile = epochs;
        unsynced = false;
    }

    private Path path() {
        return folder.resolve(LeaderEpochFormat.FILE_NAME);
    }

    /** Entries that a full disk keeps in the file are dropped at the next start. */
    private void shorten(LeaderEpochs next) {
        if (next == epochs) return;
        epochs = next;
        // At once: what was cut must not come back beside what will be written in its place.
        FullDisk.tolerate(folder, this::saveDurably);
    }
}
