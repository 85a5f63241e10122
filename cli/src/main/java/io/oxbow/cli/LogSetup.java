// SPDX-License-Identifier: Apache-2.0
package io.oxbow.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.spi.ContextAwareBase;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The logging of the command: standard output, one line for each event, stack traces folded into
 * it. Found by logback as a service; no file to parse at start.
 *
 * <p>{@code OXBOW_LOG} sets levels: {@code debug}, or {@code warn,io.oxbow.storage=debug}.
 */
public final class LogSetup extends ContextAwareBase implements Configurator {

    /** Level of everything that {@code OXBOW_LOG} does not name, if a command wants another. */
    static final String LEVEL_PROPERTY = "oxbow.log.level";

    private static final String PATTERN =
            "%d{yyyy-MM-dd HH:mm:ss.SSS} %-5level [%thread] %logger{0}: %msg"
                    + "%replace(%replace( %ex){'\\s*\\R\\s*(?=\\S)', ' | '}){'\\s+$', ''}%nopex%n";

    /** Made by logback. */
    public LogSetup() {}

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern(PATTERN);
        encoder.start();
        ConsoleAppender<ILoggingEvent> console = new ConsoleAppender<>();
        console.setContext(context);
        console.setEncoder(encoder);
        console.start();
        context.getLogger(Logger.ROOT_LOGGER_NAME).addAppender(console);
        String standard = System.getProperty(LEVEL_PROPERTY, "info");
        levels(standard, System.getenv("OXBOW_LOG"))
                .forEach((name, level) -> context.getLogger(name).setLevel(level));
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }

    /** Lets nothing more be written. */
    static void silence() {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) context.stop();
    }

    /** Levels by logger name; the libraries' own news is only worth reading when it is bad. */
    static Map<String, Level> levels(String standard, String asked) {
        Map<String, Level> levels = new LinkedHashMap<>();
        levels.put(Logger.ROOT_LOGGER_NAME, Level.toLevel(standard, Level.INFO));
        levels.put("org.apache.kafka", Level.WARN);
        levels.put("io.netty", Level.WARN);
        if (asked == null || asked.isBlank()) {
            return levels;
        }
        for (String part : asked.split(",", -1)) {
            int equals = part.indexOf('=');
            String name = equals < 0 ? Logger.ROOT_LOGGER_NAME : part.substring(0, equals).strip();
            levels.put(name, Level.toLevel(part.substring(equals + 1).strip(), Level.INFO));
        }
        return levels;
    }
}
