// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.doubles;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** The files that this process has open, by Linux's word. */
public final class OpenDescriptors {
    private static final Path ALL = Path.of("/proc/self/fd");

    private OpenDescriptors() {}

    /** Skips the test where the system does not tell. */
    public static void assumeKnown() {
        Assumptions.assumeTrue(Files.isDirectory(ALL));
    }

    /** Names of the files under {@code root} that are open, each as often as it is. */
    public static List<String> under(Path root) throws IOException {
        Path real = root.toRealPath();
        try (Stream<Path> descriptors = Files.list(ALL)) {
            return descriptors
                    .flatMap(OpenDescriptors::target)
                    .filter(file -> file.startsWith(real))
                    .map(file -> file.getFileName().toString())
                    .toList();
        }
    }

    /** Empty if it was closed meanwhile. */
    private static Stream<Path> target(Path descriptor) {
        try {
            return Stream.of(Files.readSymbolicLink(descriptor));
        } catch (IOException closed) {
            return Stream.empty();
        }
    }
}
