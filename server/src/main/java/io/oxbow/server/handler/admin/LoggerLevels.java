// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.admin;

import java.util.Map;
import java.util.Optional;

/** The levels of this process's loggers; a port, since the logging library is the launcher's. */
public interface LoggerLevels {
    String ROOT = "root";

    /** Level in force by logger name, {@link #ROOT} included. */
    Map<String, String> levels();

    /** Sets a level of Kafka's {@code LogLevelConfig}; false if there is no such logger. */
    boolean set(String logger, String level);

    /** Takes a logger's own level away; false if there is no such logger. */
    boolean unset(String logger);

    /** For a process whose loggers cannot be changed. */
    LoggerLevels NONE =
            new LoggerLevels() {
                @Override
                public Map<String, String> levels() {
                    return Map.of();
                }

                @Override
                public boolean set(String logger, String level) {
                    return false;
                }

                @Override
                public boolean unset(String logger) {
                    return false;
                }
            };

    /** The level of one logger. */
    default Optional<String> level(String logger) {
        return Optional.ofNullable(levels().get(logger));
    }
}
