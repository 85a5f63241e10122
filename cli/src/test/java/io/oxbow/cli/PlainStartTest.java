// SPDX-License-Identifier: Apache-2.0
package io.oxbow.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class PlainStartTest {

    @Test
    void shouldReadTheOptionsOfDevAsPicocliDoes() {
        for (String[] args :
                new String[][] {
                    {"dev"},
                    {"dev", "--port", "9192"},
                    {"dev", "--data", "/tmp/x", "--dirs", "2", "--port", "1"},
                }) {
            DevCommand plain =
                    assertInstanceOf(DevCommand.class, PlainStart.of(args).orElseThrow());
            DevCommand other = new DevCommand();
            new CommandLine(other).parseArgs(Arrays.copyOfRange(args, 1, args.length));
            assertEquals(other.port, plain.port);
            assertEquals(other.data, plain.data);
            assertEquals(other.dirs, plain.dirs);
        }
    }

    @Test
    void shouldStartOnAFile() {
        assertInstanceOf(
                StartCommand.class, PlainStart.of("start", "server.properties").orElseThrow());
    }

    @Test
    void shouldLeaveEverythingElseToPicocli() {
        for (String[] args :
                new String[][] {
                    {},
                    {"demo"},
                    {"storage", "info"},
                    {"start"},
                    {"start", "--help"},
                    {"start", "a", "b"},
                    {"dev", "--help"},
                    {"dev", "--port"},
                    {"dev", "--port", "many"},
                    {"dev", "--port=9192"},
                    {"dev", "--ports", "1"},
                    {"dev", "--data", "--port"},
                }) {
            assertTrue(PlainStart.of(args).isEmpty(), String.join(" ", args));
        }
    }
}
