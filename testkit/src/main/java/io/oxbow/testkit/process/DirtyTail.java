// SPDX-License-Identifier: Apache-2.0
package io.oxbow.testkit.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What a start after a kill has to read again: the bytes of a node's logs above their recovery
 * points, as the checkpoint files and the batches on disk say.
 *
 * @param dirtyBytes above the recovery points
 * @param totalBytes of all segments
 */
public record DirtyTail(long dirtyBytes, long totalBytes) {

    private static final String SUFFIX = ".log";
    private static final int BATCH_HEAD_BYTES = 12;

    /** Looks at the directories of a node that is not running. */
    public static DirtyTail of(List<Path> directories) {
        long dirty = 0;
        long total = 0;
        try {
            for (Path directory : directories) {
                Map<String, Long> points = recoveryPoints(directory);
                for (Path segment : segments(directory)) {
                    Path folder = segment.getParent();
                    if (folder.getFileName().toString().startsWith("__cluster_metadata")) {
                        continue;
                    }
                    long point = points.getOrDefault(folder.getFileName().toString(), 0L);
                    total += Files.size(segment);
                    dirty += Files.size(segment) - positionOf(segment, point);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new DirtyTail(dirty, total);
    }

    private static List<Path> segments(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory, 2)) {
            return files.filter(file -> file.toString().endsWith(SUFFIX)).toList();
        }
    }

    /** By the name of a partition's folder. */
    private static Map<String, Long> recoveryPoints(Path directory) throws IOException {
        Map<String, Long> points = new HashMap<>();
        Path file = directory.resolve("recovery-point-offset-checkpoint");
        if (Files.exists(file)) {
            Files.readAllLines(file).stream()
                    .skip(2)
                    .map(line -> line.split(" "))
                    .forEach(
                            words ->
                                    points.put(
                                            words[0] + "-" + words[1], Long.parseLong(words[2])));
        }
        return points;
    }

    /** Where the first batch at or above {@code offset} begins; the size if there is none. */
    private static long positionOf(Path segment, long offset) throws IOException {
        String name = segment.getFileName().toString();
        long base = Long.parseLong(name.substring(0, name.length() - SUFFIX.length()));
        if (base >= offset) {
            return 0;
        }
        try (FileChannel channel = FileChannel.open(segment)) {
            long size = channel.size();
            ByteBuffer head = ByteBuffer.allocate(BATCH_HEAD_BYTES);
            long position = 0;
            while (position + BATCH_HEAD_BYTES <= size) {
                head.clear();
                channel.read(head, position);
                head.flip();
                if (head.getLong() >= offset) {
                    return position;
                }
                position += BATCH_HEAD_BYTES + head.getInt();
            }
            return Math.min(position, size);
        }
    }
}
