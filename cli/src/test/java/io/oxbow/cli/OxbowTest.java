// SPDX-License-Identifier: Apache-2.0
package io.oxbow.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class OxbowTest {

    @Test
    void shouldExplainWrongArgumentsInOneLine() {
        Run run = Run.of("storage", "--no-such-thing");

        assertEquals(2, run.code);
        assertEquals(1, run.err.lines().count(), run.err);
        assertTrue(run.err.contains("--no-such-thing"), run.err);
    }

    @Test
    void shouldNameWhatStorageNeeds() {
        Run run = Run.of("storage");

        assertEquals(2, run.code);
        assertTrue(run.err.contains("random-uuid"), run.err);
    }

    @Test
    void shouldPrintAnIdOfTwentyTwoCharacters() {
        Run run = Run.of("storage", "random-uuid");

        assertEquals(0, run.code);
        assertEquals(22, run.out.strip().length());
    }

    private record Run(int code, String out, String err) {

        static Run of(String... args) {
            PrintStream out = System.out;
            PrintStream err = System.err;
            ByteArrayOutputStream outBytes = new ByteArrayOutputStream();
            ByteArrayOutputStream errBytes = new ByteArrayOutputStream();
            System.setOut(new PrintStream(outBytes, true, StandardCharsets.UTF_8));
            System.setErr(new PrintStream(errBytes, true, StandardCharsets.UTF_8));
            try {
                int code = Oxbow.run(args);
                return new Run(
                        code,
                        outBytes.toString(StandardCharsets.UTF_8),
                        errBytes.toString(StandardCharsets.UTF_8));
            } finally {
                System.setOut(out);
                System.setErr(err);
            }
        }
    }
}
