// SPDX-License-Identifier: Apache-2.0
package io.oxbow.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OxbowTest {

    @Test
    void shouldExplainWrongArgumentsInOneLine() {
        CommandRun run = CommandRun.of("storage", "--no-such-thing");

        assertEquals(2, run.code());
        assertEquals(1, run.err().lines().count(), run.err());
        assertTrue(run.err().contains("--no-such-thing"), run.err());
    }

    @Test
    void shouldCallAnUnknownCommandACommand() {
        assertEquals(
                "oxbow: there is no command 'strat'; see ./oxbow --help",
                CommandRun.of("strat").err().strip());
        assertEquals(
                "oxbow: there is no command 'nosuch'; see ./oxbow storage --help",
                CommandRun.of("storage", "nosuch").err().strip());
    }

    @Test
    void shouldHelpWhenAskedInAWord() {
        CommandRun run = CommandRun.of("help");

        assertEquals(0, run.code(), run.err());
        assertTrue(run.out().contains("storage"), run.out());
    }

    @Test
    void shouldRefuseAPlaceForDataThatCannotBeOneInOneLine(@TempDir Path home) throws IOException {
        Path file = Files.createFile(home.resolve("file"));
        for (Path data : List.of(file, file.resolve("below"))) {
            CommandRun run = CommandRun.of("dev", "--data", data.toString());

            assertEquals(1, run.code());
            assertEquals(1, run.err().lines().count(), run.err());
            assertTrue(run.err().startsWith("oxbow: --data " + data + ": "), run.err());
            assertEquals("", run.out());
        }
    }

    @Test
    void shouldNameWhatStorageNeeds() {
        CommandRun run = CommandRun.of("storage");

        assertEquals(2, run.code());
        assertTrue(run.err().contains("random-uuid"), run.err());
    }

    @Test
    void shouldPrintAnIdOfTwentyTwoCharacters() {
        CommandRun run = CommandRun.of("storage", "random-uuid");

        assertEquals(0, run.code());
        assertEquals(22, run.out().strip().length());
    }
}
