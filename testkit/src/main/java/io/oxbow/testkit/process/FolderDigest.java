// SPDX-License-Identifier: Apache-2.0
package io.oxbow.testkit.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/** Names, sizes and checksums of all files in directories, to see whether any has changed. */
public final class FolderDigest {

    private FolderDigest() {}

    /** One line for each file, sorted; a lock file does not count, nor a missing directory. */
    public static List<String> of(List<Path> directories) throws IOException {
        List<String> lines = new ArrayList<>();
        for (Path directory : directories) {
            if (!Files.isDirectory(directory)) {
                continue;
            }
            try (Stream<Path> files = Files.walk(directory)) {
                for (Path file : files.sorted().toList()) {
                    if (Files.isRegularFile(file) && !file.endsWith(".lock")) {
                        CRC32C sum = new CRC32C();
                        sum.update(Files.readAllBytes(file));
                        lines.add("%s %d %08x".formatted(file, Files.size(file), sum.getValue()));
                    }
                }
            }
        }
        return lines;
    }
}
