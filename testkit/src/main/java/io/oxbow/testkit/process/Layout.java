// SPDX-License-Identifier: Apache-2.0
package io.oxbow.testkit.process;

import java.nio.file.Files;
import java.nio.file.Path;

/** Where the built things lie in the source tree that this test runs in. */
public final class Layout {

    private Layout() {}

    /** The root of the source tree: the nearest directory above with the launcher in it. */
    public static Path root() {
        String home = System.getProperty("oxbow.home");
        if (home != null) {
            return Path.of(home);
        }
        for (Path dir = Path.of("").toAbsolutePath(); dir != null; dir = dir.getParent()) {
            if (Files.exists(dir.resolve("oxbow")) && Files.exists(dir.resolve("oracle"))) {
                return dir;
            }
        }
        throw new IllegalStateException(
                "not inside Oxbow's source tree: " + Path.of("").toAbsolutePath());
    }

    /** Oxbow's distribution, made by packaging module cli. */
    public static Path oxbowLib() {
        return built(root().resolve("target/dist/lib"), "cli");
    }

    /** Apache Kafka's jars, collected by module oracle. */
    public static Path kafkaLib() {
        return built(root().resolve("oracle/target/lib"), "oracle");
    }

    /** The java command of the virtual machine that this runs in. */
    public static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    private static Path built(Path lib, String module) {
        if (!Files.isDirectory(lib)) {
            throw new IllegalStateException(
                    lib
                            + " is missing: run mvn -q -Pquick -DskipTests package -pl "
                            + module
                            + " -am");
        }
        return lib;
    }
}
