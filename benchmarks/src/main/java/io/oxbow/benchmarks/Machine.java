// SPDX-License-Identifier: Apache-2.0
package io.oxbow.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What this runs on, in one line. */
final class Machine {

    private Machine() {}

    static String describe() {
        return "%d x %s, %s, %s %s, Java %s"
                .formatted(
                        Runtime.getRuntime().availableProcessors(),
                        field("/proc/cpuinfo", "model name"),
                        field("/proc/meminfo", "MemTotal"),
                        System.getProperty("os.name"),
                        System.getProperty("os.version"),
                        Runtime.version());
    }

    private static String field(String file, String name) {
        try {
            return Files.readString(Path.of(file))
                    .lines()
                    .filter(line -> line.startsWith(name))
                    .map(line -> line.substring(line.indexOf(':') + 1).trim())
                    .findFirst()
                    .orElse("?");
        } catch (IOException notLinux) {
            return "?";
        }
    }
}
