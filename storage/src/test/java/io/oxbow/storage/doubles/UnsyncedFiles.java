// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.doubles;

import io.oxbow.storage.doubles.FaultyFileSystem.Operation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;

/**
 * Notes which files, and the names in which directories, a machine that lost its power now might
 * not have on its disk: those that were written, cut, made or renamed since they were synced last.
 */
public final class UnsyncedFiles {
    private final Set<Path> unsynced = new TreeSet<>();
    private int syncs;

    /** Watches from now on. */
    public UnsyncedFiles(FaultyFileSystem files) {
        files.add(
                (operation, path) -> {
                    note(operation, path);
                    return false;
                },
                () -> {});
    }

    /** Names of files and directories. */
    public synchronized Set<String> names() {
        Set<String> names = new TreeSet<>();
        for (Path path : unsynced) names.add(path.getFileName().toString());
        return names;
    }

    public synchronized int syncs() {
        return syncs;
    }

    private synchronized void note(Operation operation, Path path) {
        switch (operation) {
            case WRITE -> {
                unsynced.add(path);
                // Replaced under a new name each time, if it is a small one.
                boolean renamed = !path.toString().endsWith("log") && !isIndex(path);
                if (renamed || !Files.exists(path)) unsynced.add(path.getParent());
            }
            case TRUNCATE -> unsynced.add(path);
            case OPEN -> {
                if (!Files.exists(path)) unsynced.add(path.getParent());
            }
            case RENAME -> unsynced.add(path.getParent());
            case SYNC -> {
                syncs++;
                unsynced.remove(path);
            }
            case DELETE -> unsynced.removeIf(each -> each.startsWith(path));
            default -> {}
        }
    }

    private static boolean isIndex(Path path) {
        return path.toString().endsWith("index") || path.toString().endsWith(".snapshot");
    }
}
