// SPDX-License-Identifier: Apache-2.0
package io.oxbow.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class DevCommandIT {

    @Test
    void shouldNameTheOptionWhoseValueIsATakenPort(@TempDir Path home) throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = String.valueOf(taken.getLocalPort());
            CommandRun run = CommandRun.of("dev", "--port", port, "--data", home.toString());

            assertEquals(1, run.code());
            assertEquals(1, run.err().lines().count(), run.err());
            assertTrue(run.err().startsWith("oxbow: cannot start: port " + port), run.err());
            assertTrue(run.err().contains("--port"), run.err());
        }
    }
}
