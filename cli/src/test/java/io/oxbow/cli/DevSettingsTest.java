// SPDX-License-Identifier: Apache-2.0
package io.oxbow.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.oxbow.server.config.BrokerConfig;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class DevSettingsTest {

    private static final Path HOME = Path.of("/tmp/home");

    @Test
    void shouldMakeAConfigurationThatTheBrokerTakes() {
        BrokerConfig config = BrokerConfig.parse(new DevSettings(9092, HOME, 3).properties());

        assertEquals(
                List.of(HOME.resolve("d1"), HOME.resolve("d2"), HOME.resolve("d3")),
                config.directories());
        assertEquals(HOME.resolve("metadata"), config.metadataDirectory());
        assertEquals(List.of(), config.warnings());
    }

    @Test
    void shouldListenOnLoopbackOnly() {
        String listeners = new DevSettings(9092, HOME, 3).properties().get("listeners");

        assertEquals("PLAINTEXT://localhost:9092,CONTROLLER://localhost:19092", listeners);
    }

    @Test
    void shouldKeepTheControllersPortInRange() {
        assertEquals(50_000, new DevSettings(60_000, HOME, 1).controllerPort());
    }

    @Test
    void shouldRefuseWhatIsNoPortAndSayWhatIs() {
        CommandFailed refused =
                assertThrows(CommandFailed.class, () -> new DevSettings(70_000, HOME, 1));

        assertTrue(refused.getMessage().contains("--port 70000"), refused::getMessage);
    }

    @Test
    void shouldRefuseAPathThatAListOfDirectoriesCannotHold() {
        CommandFailed refused =
                assertThrows(CommandFailed.class, () -> new DevSettings(9092, Path.of("/a, b"), 3));

        assertTrue(refused.getMessage().contains("comma"), refused::getMessage);
    }

    @Test
    void shouldRefuseNoDirectories() {
        assertThrows(CommandFailed.class, () -> new DevSettings(9092, HOME, 0));
    }
}
