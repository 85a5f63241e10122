// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.doubles;

import io.oxbow.base.error.DiskException;
import io.oxbow.base.error.DiskException.Kind;
import io.oxbow.base.file.FileSystem;
import io.oxbow.base.file.FileSystem.Space;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * A volume of limited size, by the lengths of the files under its root. Any thread; every operation
 * takes the monitor, which is enough for a test.
 */
public final class FaultyVolume {
    private final Map<Path, Long> sizes = new HashMap<>();
    private long capacity;
    private long used;

    FaultyVolume(FileSystem files, Path root) {
        measure(files, root);
    }

    public synchronized void resize(long capacityBytes) {
        capacity = capacityBytes;
    }

    public synchronized long usedBytes() {
        return used;
    }

    synchronized Space space() {
        return new Space(capacity, Math.max(0, capacity - used));
    }

    /** How many of {@code bytes} at {@code position} fit; they count as written. */
    synchronized long fit(Path path, long position, long bytes) {
        long size = sizes.getOrDefault(path, 0L);
        long growth = Math.max(0, position + bytes - size);
        long fitting = Math.min(growth, Math.max(0, capacity - used));
        sizes.put(path, size + fitting);
        used += fitting;
        return bytes - (growth - fitting);
    }

    /** As {@link #fit}, all or nothing. */
    synchronized void write(Path path, long position, long bytes) {
        long before = sizes.getOrDefault(path, 0L);
        if (fit(path, position, bytes) < bytes) {
            truncated(path, before);
            throw new DiskException(Kind.FULL, path, "write", null);
        }
    }

    synchronized void truncated(Path path, long size) {
        used += size - sizes.getOrDefault(path, 0L);
        sizes.put(path, size);
    }

    synchronized void deleted(Path path) {
        sizes.entrySet()
                .removeIf(
                        each -> {
                            if (!each.getKey().startsWith(path)) return false;
                            used -= each.getValue();
                            return true;
                        });
    }

    synchronized void renamed(Path from, Path to) {
        Map<Path, Long> moved = new HashMap<>();
        sizes.entrySet()
                .removeIf(
                        each -> {
                            if (!each.getKey().startsWith(from)) return false;
                            moved.put(to.resolve(from.relativize(each.getKey())), each.getValue());
                            return true;
                        });
        deleted(to);
        sizes.putAll(moved);
    }

    private void measure(FileSystem files, Path path) {
        if (!files.exists(path)) return;
        if (files.isDirectory(path)) files.list(path).forEach(each -> measure(files, each));
        else truncated(path, files.size(path));
    }
}
