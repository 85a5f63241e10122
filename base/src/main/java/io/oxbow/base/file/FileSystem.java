// SPDX-License-Identifier: Apache-2.0
package io.oxbow.base.file;

import java.nio.file.Path;
import java.util.List;

/**
 * The files of one machine. All methods may block and throw {@link
 * io.oxbow.base.error.DiskException}; any thread may call them. What needs a file descriptor when
 * none is left closes files that are idle and tries once more before it fails.
 */
public interface FileSystem {

    /** How a file is opened. */
    enum Mode {
        /** For reading; the file must exist. */
        READ,
        /** For reading and writing; the file must exist. */
        WRITE,
        /** For reading and writing; made if it is not there. */
        CREATE,
        /** For reading and writing; made new, or emptied if it is there. */
        REPLACE
    }

    /** Room on the volume that holds a path, in bytes. */
    record Space(long totalBytes, long usableBytes) {}

    /** How long a file that was opened is needed. */
    enum Need {
        /** Again and again, as long as its partition is in use. */
        STEADY,
        /** Now and then. */
        PASSING
    }

    StoreFile open(Path path, Mode mode);

    /** Where those note the files they hold open who can do with their being closed. */
    OpenFiles openFiles(Need need);

    boolean exists(Path path);

    boolean isDirectory(Path path);

    /** The entries of a directory, in no order. */
    List<Path> list(Path directory);

    void createDirectories(Path directory);

    /** Renames within one volume, replacing the target; atomic. */
    void rename(Path from, Path to);

    /** Deletes a file or an empty directory; does nothing if it is not there. */
    void delete(Path path);

    /** Deletes a directory and all that is in it; does nothing if it is not there. */
    void deleteTree(Path directory);

    /**
     * Makes entries that were created, renamed or deleted in {@code directory} durable. A failure
     * is final, as that of {@link StoreFile#sync}, unless it {@code passes}: then nothing was
     * tried.
     */
    void syncDirectory(Path directory);

    /** Size of a file in bytes. */
    long size(Path path);

    /** Time of the last change in milliseconds since the epoch. */
    long lastModifiedMs(Path path);

    void setLastModifiedMs(Path path, long wallMs);

    Space space(Path path);

    /** The whole of a small file. */
    byte[] readAll(Path path);

    /**
     * Replaces a small file so that after a crash either the old or the new content is there:
     * written beside it as {@code NAME.tmp}, synced, renamed, directory synced.
     */
    void writeAtomically(Path path, byte[] content);

    /**
     * As {@link #writeAtomically}, but not durable: after a crash of the machine the old content is
     * there, or the new, or a part of it. For what can be made anew, until the caller syncs the
     * file and its directory.
     */
    void replace(Path path, byte[] content);

    /**
     * A lock that keeps other processes out of a directory (Kafka's {@code .lock} file).
     *
     * @throws io.oxbow.base.error.RetriableException if another process holds it
     */
    DirectoryLock lock(Path directory);

    /** Held until closed or the process ends. */
    interface DirectoryLock extends AutoCloseable {
        @Override
        void close();
    }
}
