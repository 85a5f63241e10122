// SPDX-License-Identifier: Apache-2.0
package io.oxbow.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.oxbow.server.config.StorageFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StorageCommandTest {

    @TempDir private Path home;
    private Path config;

    @BeforeEach
    void writeConfig() throws IOException {
        config = home.resolve("server.properties");
        Properties properties = new Properties();
        properties.putAll(new DevSettings(9092, home, 2).properties());
        try (var writer = Files.newBufferedWriter(config)) {
            properties.store(writer, null);
        }
    }

    @Test
    void shouldFormatWithTheFlagsOfKafkaStorage() throws IOException {
        String id = StorageFormat.randomUuid();
        CommandRun run =
                CommandRun.of(
                        "storage", "format", "-t", id, "--standalone", "-c", config.toString());

        assertEquals(0, run.code(), run.err());
        assertTrue(Files.readString(home.resolve("d2/meta.properties")).contains(id));
        assertEquals(0, CommandRun.of("storage", "info", "-c", config.toString()).code());
    }

    @Test
    void shouldRefuseASecondFormatInOneLineAndLeaveTheFirst() throws IOException {
        CommandRun.of("storage", "format", "-t", "A2345678901234567890AA", "-s", "-c", file());
        String before = Files.readString(home.resolve("d1/meta.properties"));

        CommandRun again =
                CommandRun.of(
                        "storage", "format", "-t", "B2345678901234567890AA", "-s", "-c", file());

        assertEquals(1, again.code());
        assertEquals(1, again.err().lines().count(), again.err());
        assertEquals(before, Files.readString(home.resolve("d1/meta.properties")));
    }

    @Test
    void shouldTellAnUnformattedNodeTheCommandThatFormatsIt() throws IOException {
        assertFormatsAsTold();
        Files.writeString(
                config,
                Files.readString(config)
                        .replace(
                                "controller.quorum.bootstrap.servers=",
                                "controller.quorum.voters=1@"));
        home.resolve("d1/meta.properties").toFile().delete();
        home.resolve("d2/meta.properties").toFile().delete();
        home.resolve("metadata/meta.properties").toFile().delete();
        assertFormatsAsTold();
    }

    private void assertFormatsAsTold() {
        CommandRun start = CommandRun.of("start", file());
        assertEquals(1, start.code());
        String told = start.err().strip().replaceFirst(".*run ./oxbow ", "");
        CommandRun format = CommandRun.of(told.split(" ", -1));
        assertEquals(0, format.code(), told + ": " + format.err());
    }

    @Test
    void shouldRefuseAClusterIdThatIsNone() {
        for (String id : new String[] {"bad!", "short", "A2345678901234567890AA=="}) {
            CommandRun run = CommandRun.of("storage", "format", "-t", id, "-s", "-c", file());

            assertEquals(1, run.code(), id);
            assertEquals(1, run.err().lines().count(), run.err());
            assertTrue(run.err().contains("'" + id + "'"), run.err());
            assertTrue(run.err().contains("random-uuid"), run.err());
            assertFalse(Files.exists(home.resolve("d1/meta.properties")));
        }
    }

    @Test
    void shouldRefuseTwoWaysToNameTheControllers() {
        CommandRun run = CommandRun.of("storage", "format", "-t", "x", "-s", "-N", "-c", file());

        assertEquals(2, run.code());
        assertFalse(Files.exists(home.resolve("d1")));
    }

    @Test
    void shouldNameAConfigurationThatIsNotThere() {
        CommandRun run = CommandRun.of("storage", "info", "-c", home.resolve("none") + "");

        assertEquals(1, run.code());
        assertTrue(run.err().contains(home.resolve("none").toString()), run.err());
    }

    @Test
    void shouldTellADirectoryFromAFileThatIsNotThere() {
        CommandRun run = CommandRun.of("start", home.toString());

        assertEquals(1, run.code());
        assertTrue(run.err().contains(home + ": is a directory"), run.err());
    }

    private String file() {
        return config.toString();
    }
}
