// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.dir;

import io.oxbow.base.error.CorruptException;
import io.oxbow.base.error.DiskException;
import io.oxbow.base.file.FileSystem;
import java.nio.file.Path;
import java.util.List;

/**
 * What one configured directory was found to be at start, before anything is written to it.
 *
 * @param path as configured
 */
public record DirectoryProbe(Path path, Finding finding) {

    /** What was found. */
    public sealed interface Finding {
        /** It has an identity. */
        record Formatted(MetaProperties meta) implements Finding {}

        /** It is there and has nothing in it. */
        record Blank() implements Finding {}

        /** It cannot be used; the reason says what to do. */
        record Unusable(String reason) implements Finding {}
    }

    /** Looks at a directory; writes nothing. Blocks. */
    public static DirectoryProbe look(FileSystem files, Path path) {
        try {
            return new DirectoryProbe(path, find(files, path));
        } catch (DiskException failure) {
            // No fault of the directory: the start as a whole cannot go on.
            if (failure.kind() == DiskException.Kind.TOO_MANY_OPEN) throw failure;
            return new DirectoryProbe(path, new Finding.Unusable(failure.getMessage()));
        } catch (CorruptException failure) {
            return new DirectoryProbe(path, new Finding.Unusable(failure.getMessage()));
        }
    }

    private static Finding find(FileSystem files, Path path) {
        if (!files.exists(path)) {
            return new Finding.Unusable("it does not exist; mount the disk or make the directory");
        }
        if (!files.isDirectory(path)) return new Finding.Unusable("it is not a directory");
        List<Path> entries = files.list(path);
        Path meta = path.resolve(MetaProperties.FILE_NAME);
        if (files.exists(meta)) {
            return new Finding.Formatted(MetaPropertiesFormat.parse(files.readAll(meta), meta));
        }
        for (Path entry : entries) {
            String name = entry.getFileName().toString();
            // A file system's own, and what a start that was cut short may have left.
            if (name.equals("lost+found") || name.startsWith(".") || name.endsWith(".tmp"))
                continue;
            return new Finding.Unusable(
                    "it has no "
                            + MetaProperties.FILE_NAME
                            + " but holds "
                            + name
                            + ", so it may be another's; put the file back, or empty the"
                            + " directory");
        }
        return new Finding.Blank();
    }
}
