// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.broker;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import io.oxbow.server.handler.admin.LoggerLevels;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.LoggerFactory;

/** The levels of Logback's loggers. Any thread. */
final class LogbackLevels implements LoggerLevels {
    private final LoggerContext context;

    private LogbackLevels(LoggerContext context) {
        this.context = context;
    }

    /** Of this process; {@link LoggerLevels#NONE} if another library logs. */
    static LoggerLevels ofProcess() {
        return LoggerFactory.getILoggerFactory() instanceof LoggerContext context
                ? new LogbackLevels(context)
                : NONE;
    }

    @Override
    public Map<String, String> levels() {
        Map<String, String> levels = new TreeMap<>();
        for (Logger logger : context.getLoggerList()) {
            levels.put(shown(logger.getName()), logger.getEffectiveLevel().toString());
        }
        return levels;
    }

    @Override
    public boolean set(String logger, String level) {
        Logger found = context.exists(internal(logger));
        if (found == null) return false;
        // Logback has no FATAL; its highest is ERROR.
        found.setLevel(level.equals("FATAL") ? Level.ERROR : Level.toLevel(level));
        return true;
    }

    @Override
    public boolean unset(String logger) {
        Logger found = context.exists(internal(logger));
        if (found == null) return false;
        found.setLevel(null);
        return true;
    }

    private static String shown(String name) {
        return name.equals(org.slf4j.Logger.ROOT_LOGGER_NAME) ? ROOT : name;
    }

    private static String internal(String name) {
        return name.equals(ROOT) ? org.slf4j.Logger.ROOT_LOGGER_NAME : name;
    }
}
