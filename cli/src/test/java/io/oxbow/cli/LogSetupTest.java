// SPDX-License-Identifier: Apache-2.0
package io.oxbow.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

class LogSetupTest {

    @Test
    void shouldTakeTheLevelOfEverythingAndOfSingleLoggers() {
        Map<String, Level> levels = LogSetup.levels("warn", "error, io.oxbow.storage=debug");

        assertEquals(Level.ERROR, levels.get(Logger.ROOT_LOGGER_NAME));
        assertEquals(Level.DEBUG, levels.get("io.oxbow.storage"));
    }

    @Test
    void shouldKeepTheLibrariesQuietUnlessAsked() {
        assertEquals(Level.WARN, LogSetup.levels("info", null).get("org.apache.kafka"));
        assertEquals(
                Level.INFO,
                LogSetup.levels("info", "org.apache.kafka=info").get("org.apache.kafka"));
    }

    @Test
    void shouldPrintOneLineForAnEventWithAStackTrace() {
        PrintStream before = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            LoggerContext context = new LoggerContext();
            context.setMDCAdapter(new LogbackMDCAdapter());
            new LogSetup().configure(context);
            context.getLogger("x.Y").warn("broken", new IllegalStateException("two\nlines"));
        } finally {
            System.setOut(before);
        }
        String text = printed.toString(StandardCharsets.UTF_8);
        assertEquals(1, text.lines().count(), text);
        assertTrue(text.contains("Y: broken java.lang.IllegalStateException: two | lines"), text);
        assertFalse(text.stripTrailing().endsWith("|"), text);
    }
}
