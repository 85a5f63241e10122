// SPDX-License-Identifier: Apache-2.0
package io.oxbow.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.oxbow.server.config.BrokerConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
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
    void shouldMakeDirectoriesThatAnEarlierRunHadNot() {
        DevSettings five = new DevSettings(9092, HOME, 5);

        assertEquals(
                List.of(HOME.resolve("d4"), HOME.resolve("d5")),
                five.newDirectories(existing("d1", "d2", "d3")));
        assertEquals(List.of(), five.newDirectories(existing()), "the first run formats all");
    }

    @Test
    void shouldNotMakeALostDirectoryAnew() {
        assertEquals(
                List.of(HOME.resolve("d4")),
                new DevSettings(9092, HOME, 4).newDirectories(existing("d1", "d3")));
    }

    private static Predicate<Path> existing(String... names) {
        return path -> List.of(names).contains(path.getFileName().toString());
    }

    @Test
    void shouldRefuseNoDirectories() {
        assertThrows(CommandFailed.class, () -> new DevSettings(9092, HOME, 0));
    }
}
