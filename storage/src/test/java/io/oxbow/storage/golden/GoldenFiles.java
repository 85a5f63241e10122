// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.golden;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The golden folders: where they are and what is in them. */
public final class GoldenFiles {
    public static final List<String> FOLDERS =
            List.of("codecs-0", "segments-0", "idempotent-0", "transactions-0", "append-time-0");

    private GoldenFiles() {}

    public static Path folder(String state, String name) {
        try {
            return Path.of(
                    GoldenFiles.class
                            .getResource("/golden/kafka-4.4.0/" + state + "/" + name)
                            .toURI());
        } catch (URISyntaxException failure) {
            throw new IllegalStateException(failure);
        }
    }

    public static Path copy(String state, String name, Path parent) {
        try {
            Path into = Files.createDirectories(parent.resolve(name));
            for (Path file : list(folder(state, name))) {
                Files.copy(file, into.resolve(file.getFileName()));
            }
            return into;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** All files of a folder by name, with their bytes in hexadecimal. */
    public static Map<String, String> contents(Path folder) {
        Map<String, String> contents = new TreeMap<>();
        for (Path file : list(folder)) {
            contents.put(
                    file.getFileName().toString(), java.util.HexFormat.of().formatHex(bytes(file)));
        }
        return contents;
    }

    /** All batches of a folder's segments, in order. */
    public static List<ByteBuffer> batches(Path folder) {
        List<ByteBuffer> batches = new ArrayList<>();
        for (Path file : list(folder)) {
            if (!file.toString().endsWith(".log")) continue;
            ByteBuffer all = ByteBuffer.wrap(bytes(file));
            for (int at = 0; at < all.limit(); ) {
                int size = all.getInt(at + 8) + 12;
                batches.add(ByteBuffer.allocate(size).put(all.slice(at, size)).flip());
                at += size;
            }
        }
        return batches;
    }

    public static byte[] bytes(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    public static List<Path> list(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
