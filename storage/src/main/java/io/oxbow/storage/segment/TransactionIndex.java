// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.segment;

import io.oxbow.base.error.CorruptException;
import io.oxbow.base.error.DiskException;
import io.oxbow.base.file.FileSystem;
import io.oxbow.base.file.StoreFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The aborted transactions of one segment ({@link TransactionIndexFormat}): all in memory once one
 * is asked for, since they are few. The owner appends and truncates; any thread collects.
 */
public final class TransactionIndex {
    private static final Snapshot NONE = new Snapshot(new AbortedTransaction[0], 0);

    private final FileSystem files;

    /** Changed by the owner (rename) under the monitor, which loading holds as well. */
    private Path path;

    /** Published by whoever loads it and by the owner, read by any thread: null: not loaded. */
    private volatile Snapshot loaded;

    private final SyncMark content = new SyncMark();

    /** Items below {@code count} never change. */
    private static final class Snapshot {
        private final AbortedTransaction[] items;
        private final int count;

        Snapshot(AbortedTransaction[] items, int count) {
            this.items = items;
            this.count = count;
        }
    }

    /**
     * @param exists whether there is a file that has to be read
     */
    TransactionIndex(FileSystem files, Path path, boolean exists) {
        this.files = files;
        this.path = path;
        this.loaded = exists ? null : NONE;
    }

    /** Whether nothing is there, so that no look-up is needed. */
    public boolean knownEmpty() {
        Snapshot now = loaded;
        return now != null && now.count == 0;
    }

    boolean isLoaded() {
        return loaded != null;
    }

    /**
     * Adds to {@code into} the transactions that overlap {@code [fetchOffset, upperOffset)}.
     *
     * @return whether no later segment can have more of them
     */
    boolean collect(long fetchOffset, long upperOffset, List<AbortedTransaction> into) {
        Snapshot now = snapshot();
        for (int i = 0; i < now.count; i++) {
            AbortedTransaction item = now.items[i];
            if (item.lastOffset() >= fetchOffset && item.firstOffset() < upperOffset) {
                into.add(item);
            }
            if (item.lastStableOffset() >= upperOffset) return true;
        }
        return false;
    }

    /** All entries. Blocks. */
    public List<AbortedTransaction> all() {
        Snapshot now = snapshot();
        return new ArrayList<>(Arrays.asList(now.items).subList(0, now.count));
    }

    /**
     * Reads the file if that was not done before. Blocks.
     *
     * @throws io.oxbow.base.error.CorruptException if it is damaged
     */
    public void load() {
        snapshot();
    }

    private Snapshot snapshot() {
        Snapshot now = loaded;
        return now != null ? now : read();
    }

    private synchronized Snapshot read() {
        if (loaded != null) return loaded;
        List<AbortedTransaction> entries = TransactionIndexFormat.decode(content(), path);
        loaded = new Snapshot(entries.toArray(AbortedTransaction[]::new), entries.size());
        return loaded;
    }

    private byte[] content() {
        try {
            return files.readAll(path);
        } catch (DiskException failure) {
            if (failure.kind() != DiskException.Kind.MISSING) throw failure;
            throw new CorruptException(path + " is missing", failure);
        }
    }

    /** Appends and writes (not synced). Owner. */
    public synchronized void append(AbortedTransaction item) {
        Snapshot now = snapshot();
        AbortedTransaction[] items = now.items;
        if (items.length == now.count) items = Arrays.copyOf(items, Math.max(8, now.count * 2));
        items[now.count] = item;
        try (StoreFile file = files.open(path, FileSystem.Mode.CREATE)) {
            file.write(
                    TransactionIndexFormat.encode(List.of(item)),
                    (long) now.count * TransactionIndexFormat.ENTRY_BYTES);
        }
        content.changed();
        loaded = new Snapshot(items, now.count + 1);
    }

    private synchronized Path currentPath() {
        return path;
    }

    /** Whether the file was changed and not synced since. */
    boolean unsynced() {
        return content.unsynced();
    }

    /** Makes the file durable if it was changed. Any thread. */
    void sync() {
        if (content.unsynced()) content.by(this::syncFile);
    }

    private void syncFile() {
        try (StoreFile file = files.open(currentPath(), FileSystem.Mode.WRITE)) {
            file.sync();
        } catch (DiskException failure) {
            // Deleted with its segment.
            if (failure.kind() != DiskException.Kind.MISSING) throw failure;
        }
    }

    /** Removes the transactions that ended at {@code offset} or later. Owner. */
    public synchronized void truncateTo(long offset) {
        if (knownEmpty()) return;
        Snapshot now = snapshot();
        int keep = 0;
        while (keep < now.count && now.items[keep].lastOffset() < offset) keep++;
        if (keep == now.count) return;
        try (StoreFile file = files.open(path, FileSystem.Mode.WRITE)) {
            file.truncate((long) keep * TransactionIndexFormat.ENTRY_BYTES);
        }
        content.changed();
        loaded = new Snapshot(Arrays.copyOf(now.items, keep), keep);
    }

    /** Forgets everything: the file is removed, to be written again. Owner. */
    public synchronized void reset() {
        files.delete(path);
        loaded = NONE;
    }

    /** Renames the file if there is one. Owner. */
    synchronized void rename(Path to) {
        if (!knownEmpty() && files.exists(path)) files.rename(path, to);
        path = to;
    }

    synchronized void delete() {
        files.delete(path);
    }
}
