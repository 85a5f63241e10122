// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.lane;

import io.oxbow.base.error.DiskException;
import io.oxbow.base.file.FileSystem;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** How much of a log recovery has to read: the segments from its recovery point on. */
final class RecoveryEstimate {
    private static final String SUFFIX = ".log";
    private static final int OFFSET_DIGITS = 20;

    private RecoveryEstimate() {}

    /** In bytes; 0 if it cannot be told. Asks for sizes of those segments only. */
    static long bytes(FileSystem files, Path folder, long recoveryPoint) {
        try {
            TreeMap<Long, Path> segments = new TreeMap<>();
            for (Path file : files.list(folder)) {
                long base = baseOffset(file.getFileName().toString());
                if (base >= 0) segments.put(base, file);
            }
            // The segment that holds the recovery point begins at or before it.
            Long first = segments.floorKey(recoveryPoint);
            Map<Long, Path> unsure = first == null ? segments : segments.tailMap(first);
            return unsure.values().stream().mapToLong(files::size).sum();
        } catch (DiskException failure) {
            return 0;
        }
    }

    private static long baseOffset(String name) {
        if (name.length() != OFFSET_DIGITS + SUFFIX.length() || !name.endsWith(SUFFIX)) return -1;
        try {
            return Long.parseLong(name.substring(0, OFFSET_DIGITS));
        } catch (NumberFormatException notASegment) {
            return -1;
        }
    }
}
