// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.segment;

import io.oxbow.base.Invariant;
import io.oxbow.base.error.CorruptException;
import io.oxbow.base.error.DiskException;
import io.oxbow.base.file.FileSystem;
import io.oxbow.base.file.StoreFile;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A file that is opened on first use and let go when idle, while readers may still hold it. Whoever
 * uses it holds a {@link Handle} for that time; the file is closed when nobody does, so that no
 * reader ever sees a closed file, and a deleted one stays readable for those who hold it.
 *
 * <p>Any thread may acquire; opening happens under the monitor (a message to the owner would make
 * every first read wait for the lane). The owner renames, lets go and closes.
 */
public final class SharedFile {
    private final FileSystem files;

    /** Written by the owner (rename), read by whoever opens; both under the monitor. */
    private Path path;

    /** Made if it is missing; under the monitor. */
    private FileSystem.Mode mode;

    /** Written under the monitor, read by any thread without it: null while not open. */
    private volatile Handle current;

    /** Set by each use, cleared by {@link #closeIfIdle}; racy on purpose, it is a hint. */
    private volatile boolean used;

    /** Set by whoever writes, cleared by whoever syncs; outlives the open file. */
    private volatile boolean unsynced;

    public SharedFile(FileSystem files, Path path, FileSystem.Mode mode) {
        this.files = files;
        this.path = path;
        this.mode = mode;
    }

    /** An open file that stays open until {@link #release}. */
    public static final class Handle {
        private final StoreFile file;
        private final AtomicInteger holders = new AtomicInteger(1);

        private Handle(StoreFile file) {
            this.file = file;
        }

        public StoreFile file() {
            return file;
        }

        public void release() {
            int left = holders.decrementAndGet();
            Invariant.check(left >= 0, "a file is released once for each acquire");
            if (left == 0) file.close();
        }

        private boolean retain() {
            int held;
            do {
                held = holders.get();
                if (held == 0) return false;
            } while (!holders.compareAndSet(held, held + 1));
            return true;
        }
    }

    /** The open file, held for the caller, or null if it is not open. Never blocks. */
    public Handle acquireIfOpen() {
        Handle handle = current;
        if (handle == null || !handle.retain()) return null;
        if (!used) used = true;
        return handle;
    }

    /**
     * The file, opened if need be and held for the caller. Blocks.
     *
     * @throws CorruptException if it is missing: that costs the replica, not the directory
     */
    public Handle acquire() {
        Handle handle = acquireIfOpen();
        while (handle == null) {
            open();
            handle = acquireIfOpen();
        }
        return handle;
    }

    private synchronized void open() {
        if (current != null) return;
        try {
            current = new Handle(files.open(path, mode));
        } catch (DiskException failure) {
            if (failure.kind() != DiskException.Kind.MISSING) throw failure;
            throw new CorruptException(path + " is missing", failure);
        }
    }

    /** The file was written to and not synced. */
    void written() {
        unsynced = true;
    }

    /** Whether the file has been written to since the last call; the caller syncs it. */
    boolean takeWritten() {
        if (!unsynced) return false;
        unsynced = false;
        return true;
    }

    public synchronized Path path() {
        return path;
    }

    /** From now on it is opened in {@code mode}. */
    public synchronized void reopenAs(FileSystem.Mode mode) {
        this.mode = mode;
        closeHandle();
    }

    /** Renames the file; those who hold it go on. */
    public synchronized void rename(Path to) {
        files.rename(path, to);
        path = to;
    }

    /** The folder or the name has changed underneath (renamed by somebody else). */
    public synchronized void movedTo(Path to) {
        path = to;
    }

    /** Closes the file if it was not used since the last call. True if it is closed now. */
    public synchronized boolean closeIfIdle() {
        if (current == null) return true;
        if (used) {
            used = false;
            return false;
        }
        closeHandle();
        return true;
    }

    /** Lets go of the file; it closes when the last holder releases it, and may be opened again. */
    public synchronized void close() {
        closeHandle();
    }

    private void closeHandle() {
        Handle handle = current;
        current = null;
        if (handle != null) handle.release();
    }
}
