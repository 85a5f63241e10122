// SPDX-License-Identifier: Apache-2.0
package io.oxbow.base.file;

import io.oxbow.base.error.DiskException;
import io.oxbow.base.error.DiskException.Kind;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Sorts the JDK's I/O exceptions into {@link Kind}s. The JDK has classes for some errors only; for
 * the others the text of {@code strerror} tells.
 */
final class DiskErrors {
    private DiskErrors() {}

    static DiskException translate(Path path, String operation, IOException failure) {
        Kind kind = kindOf(failure);
        return kind == Kind.TOO_MANY_OPEN
                ? tooManyOpen(path, operation, failure)
                : new DiskException(kind, path, operation, failure);
    }

    private static DiskException tooManyOpen(Path path, String operation, IOException failure) {
        String message =
                "cannot "
                        + operation
                        + " "
                        + path
                        + ": too many open files. "
                        + Descriptors.state();
        return DiskException.tooManyOpen(path, message, failure);
    }

    /**
     * Of a sync that failed. Where room is given to bytes only when they go to the disk (network
     * file systems, quotas, thin volumes), a sync finds it missing, and the kernel may have dropped
     * what it could not write: {@link Kind#UNSYNCED}.
     */
    static DiskException translateSync(Path path, String operation, IOException failure) {
        Kind kind = kindOf(failure);
        return new DiskException(
                kind == Kind.FULL ? Kind.UNSYNCED : kind, path, operation, failure);
    }

    static Kind kindOf(IOException failure) {
        if (failure instanceof NoSuchFileException || failure instanceof FileNotFoundException) {
            return Kind.MISSING;
        }
        if (failure instanceof AccessDeniedException) return Kind.DENIED;
        String text = String.valueOf(failure.getMessage()).toLowerCase(Locale.ROOT);
        if (text.contains("no space left") || text.contains("quota exceeded")) return Kind.FULL;
        // The process's limit (or the machine's), not the disk's fault: it passes.
        if (text.contains("too many open files")) return Kind.TOO_MANY_OPEN;
        if (text.contains("read-only file system")
                || text.contains("permission denied")
                || text.contains("operation not permitted")) {
            return Kind.DENIED;
        }
        return text.contains("no such file") ? Kind.MISSING : Kind.FAILED;
    }
}
