// SPDX-License-Identifier: Apache-2.0
package io.oxbow.base.error;

import java.nio.file.FileSystemException;
import java.nio.file.Path;

/**
 * DISK: the file system refused. {@link #kind()} tells a full disk and a missing file, which cost
 * nothing or one replica, from a failing disk, which takes its lane offline.
 */
public final class DiskException extends OxbowException {
    private static final long serialVersionUID = 1L;

    /** What the file system said. */
    public enum Kind {
        /** ENOENT: the file is not there. */
        MISSING,
        /** ENOSPC or EDQUOT: no room is left. It may pass by itself. */
        FULL,
        /**
         * EMFILE or ENFILE: no more files may be open. Nothing was tried; it passes by itself and
         * says nothing about the disk.
         */
        TOO_MANY_OPEN,
        /** ENOSPC or EDQUOT, found by a sync: what was written before may be lost. */
        UNSYNCED,
        /** EROFS, EACCES or EPERM: may not be written or read. */
        DENIED,
        /** EIO and anything else. */
        FAILED
    }

    private final Kind kind;
    private final transient Path path;

    public DiskException(Kind kind, Path path, String operation, Throwable cause) {
        super(operation + " " + path + ": " + said(kind, cause), cause);
        this.kind = kind;
        this.path = path;
    }

    /** With a message of its own, which names the path. */
    public DiskException(Kind kind, Path path, String message) {
        super(message, null);
        this.kind = kind;
        this.path = path;
    }

    private DiskException(Throwable cause, Kind kind, Path path, String message) {
        super(message, cause);
        this.kind = kind;
        this.path = path;
    }

    /** No more files may be open; the message says what the operator can do. */
    public static DiskException tooManyOpen(Path path, String message, Throwable cause) {
        return new DiskException(cause, Kind.TOO_MANY_OPEN, path, message);
    }

    /** Whether nothing is wrong that time would not mend, and nothing was lost. */
    public boolean passes() {
        return kind == Kind.FULL || kind == Kind.TOO_MANY_OPEN;
    }

    /** The system's own words where there are any; the path is named already. */
    private static String said(Kind kind, Throwable cause) {
        if (cause == null) return kind.toString();
        if (cause instanceof FileSystemException refused && refused.getReason() != null) {
            return refused.getReason();
        }
        return cause.toString();
    }

    public Kind kind() {
        return kind;
    }

    /** The file or directory that the operation was about. */
    public Path path() {
        return path;
    }
}
