// SPDX-License-Identifier: Apache-2.0
package io.oxbow.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class DemoCommandIT {

    @Test
    void shouldLeaveNothingBehindWhenASignalEndsIt(@TempDir Path temporary) throws Exception {
        Process demo =
                new ProcessBuilder(
                                System.getProperty("java.home") + "/bin/java",
                                "-Djava.io.tmpdir=" + temporary,
                                "-cp",
                                System.getProperty("java.class.path"),
                                Oxbow.class.getName(),
                                "demo")
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        try (BufferedReader out = demo.inputReader()) {
            String first = out.readLine();
            assertNotNull(first);
            assertTrue(first.startsWith("Started a broker"), first);
            assertEquals(1, homes(temporary).size());

            // Process.destroy would close the output with it.
            demo.toHandle().destroy();

            assertEquals(143, demo.waitFor());
            assertEquals(List.of(), out.lines().toList());
            assertEquals(List.of(), homes(temporary));
        } finally {
            demo.destroyForcibly();
        }
    }

    private static List<Path> homes(Path temporary) throws Exception {
        try (Stream<Path> all = Files.list(temporary)) {
            return all.filter(each -> each.getFileName().toString().startsWith("oxbow-demo-"))
                    .toList();
        }
    }
}
