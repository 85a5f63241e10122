// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.segment;

import io.oxbow.base.Invariant;
import io.oxbow.base.error.CorruptException;
import io.oxbow.base.error.DiskException;
import io.oxbow.base.file.FileSystem;
import io.oxbow.base.file.OpenFiles;
import io.oxbow.base.file.StoreFile;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A file that is opened on first use and let go when idle, or when the process needs its descriptor
 * for another one ({@link OpenFiles}), while readers may still hold it. Whoever uses it holds a
 * {@link Handle} for that time; the file is closed when nobody does, so that no reader ever sees a
 * closed file, and a deleted one stays readable for those who hold it.
 *
 * <p>Any thread may acquire; opening happens under the monitor (a message to the owner would make
 * every first read wait for the lane). The owner renames, lets go and closes. Whoever opens another
 * file may let go of this one: that takes no monitor, since two that open would wait for each
 * other.
 */
public final class SharedFile {
    private static final VarHandle CURRENT = currentHandle();

    private final FileSystem files;
    private final OpenFiles neighbours;

    /** Written by the owner (rename), read by whoever opens; both under the monitor. */
    private Path path;

    /** Made if it is missing; under the monitor. */
    private FileSystem.Mode mode;

    /**
     * Set under the monitor, exchanged for null by any thread, read by any thread: null while not
     * open.
     */
    private volatile Handle current;

    /**
     * What closing it came to when another file's opener let go of it; whoever opens it next is
     * told, as it may have lost what was written. Set and cleared by any thread.
     */
    private volatile DiskException closeFailure;

    /** Set by each use, cleared by {@link #closeIfIdle}; racy on purpose, it is a hint. */
    private volatile boolean used;

    /** Outlives the open file. */
    private final SyncMark content = new SyncMark();

    public SharedFile(FileSystem files, Path path, FileSystem.Mode mode, FileSystem.Need need) {
        this.files = files;
        this.neighbours = files.openFiles(need);
        this.path = path;
        this.mode = mode;
    }

    private static VarHandle currentHandle() {
        try {
            return MethodHandles.lookup().findVarHandle(SharedFile.class, "current", Handle.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    /** An open file that stays open until {@link #release}. */
    public final class Handle implements OpenFiles.Held {
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

        @Override
        public boolean takeUsed() {
            boolean was = used;
            used = false;
            return was;
        }

        @Override
        public void letGo() {
            if (!CURRENT.compareAndSet(SharedFile.this, this, null)) return;
            try {
                release();
            } catch (DiskException failure) {
                closeFailure = failure;
            }
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
        DiskException failed = closeFailure;
        if (failed != null) {
            closeFailure = null;
            throw failed;
        }
        try {
            Handle opened = new Handle(files.open(path, mode));
            current = opened;
            // Last: what is not the current one yet could not be let go.
            neighbours.opened(opened);
        } catch (DiskException failure) {
            if (failure.kind() != DiskException.Kind.MISSING) throw failure;
            throw new CorruptException(path + " is missing", failure);
        }
    }

    /** The file was written to and not synced. */
    void written() {
        content.changed();
    }

    /** Whether it was written to and not synced since. */
    boolean unsynced() {
        return content.unsynced();
    }

    /** Makes its content durable; it counts as that when it is done, not before. Any thread. */
    void sync() {
        content.by(
                () -> {
                    Handle handle = acquire();
                    try {
                        handle.file().sync();
                    } finally {
                        handle.release();
                    }
                });
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
        // An open file asks the page cache by the name it was opened by.
        closeHandle();
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
        Handle handle = (Handle) CURRENT.getAndSet(this, (Handle) null);
        if (handle == null) return;
        neighbours.closed(handle);
        handle.release();
    }
}
