// SPDX-License-Identifier: Apache-2.0
package io.oxbow.testkit.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What a loss of power takes, at its worst: of every file the bytes that were appended since it was
 * last synced. Made while no process uses the directories, applied after the one that did was
 * killed. Renames and new names are kept, and so is what was overwritten in place.
 */
public final class PowerLoss {

    private final List<Path> directories;
    private final Path synced;
    private final Map<Long, Long> durable = new HashMap<>();

    PowerLoss(List<Path> directories, Path synced) {
        this.directories = directories;
        this.synced = synced;
        try {
            Files.deleteIfExists(synced);
            for (Path file : files()) {
                durable.put(inode(file), Files.size(file));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Takes the bytes away; how many. */
    public long happen() {
        try {
            if (Files.exists(synced)) {
                for (String line : Files.readAllLines(synced)) {
                    String[] words = line.split(" ", -1);
                    durable.put(Long.parseLong(words[0]), Long.parseLong(words[1]));
                }
            }
            long lost = 0;
            for (Path file : files()) {
                long kept = durable.getOrDefault(inode(file), 0L);
                long size = Files.size(file);
                if (size > kept) {
                    lost += size - kept;
                    cut(file, kept);
                }
            }
            return lost;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void cut(Path file, long size) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(size);
        }
    }

    private List<Path> files() throws IOException {
        List<Path> all = new ArrayList<>();
        for (Path directory : directories) {
            try (Stream<Path> files = Files.walk(directory)) {
                files.filter(Files::isRegularFile).forEach(all::add);
            }
        }
        return all;
    }

    private static long inode(Path file) throws IOException {
        return (Long) Files.getAttribute(file, "unix:ino");
    }
}
