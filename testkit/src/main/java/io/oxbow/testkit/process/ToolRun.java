// SPDX-License-Identifier: Apache-2.0
package io.oxbow.testkit.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What a command-line tool did.
 *
 * @param output standard output and error together
 */
public record ToolRun(List<String> command, int exitCode, String output) {

    private static final Duration LIMIT = Duration.ofMinutes(10);

    /** Runs one of Kafka's tools, e.g. {@code TopicCommand}, in a process of its own. */
    public static ToolRun kafka(String toolClass, String... arguments) {
        return kafkaWithInput("", toolClass, arguments);
    }

    /** As {@link #kafka}, with {@code input} on its standard input. */
    public static ToolRun kafkaWithInput(String input, String toolClass, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Layout.java());
        command.addAll(
                List.of(
                        "-Xmx256m",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Dorg.apache.logging.log4j.level=ERROR",
                        "-cp",
                        classPath(toolClass),
                        toolClass.startsWith("org.")
                                ? toolClass
                                : "org.apache.kafka.tools." + toolClass));
        command.addAll(List.of(arguments));
        return run(input, command);
    }

    /** Runs a command of the system with {@code input} on its standard input. */
    public static ToolRun run(String input, List<String> command) {
        Path out = tempFile();
        Path in = tempFile();
        try {
            Files.writeString(in, input);
            Process process =
                    new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectInput(in.toFile())
                            .redirectOutput(out.toFile())
                            .start();
            boolean ended = process.waitFor(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
            if (!ended) {
                process.destroyForcibly().waitFor();
            }
            String output = Files.readString(out, StandardCharsets.UTF_8);
            if (!ended) {
                throw new AssertionError(
                        "still running after %d ms: %s%n%s"
                                .formatted(LIMIT.toMillis(), command, output));
            }
            return new ToolRun(command, process.exitValue(), output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } finally {
            delete(in);
            delete(out);
        }
    }

    /** The output of a run that must have ended well. */
    public String ok() {
        if (exitCode != 0) {
            throw new AssertionError("exit code %d of %s%n%s".formatted(exitCode, command, output));
        }
        return output;
    }

    /**
     * What the metadata shell needs beyond 4.4.0's libraries comes after them, see module oracle.
     */
    private static String classPath(String toolClass) {
        String kafka = Layout.kafkaLib() + "/*";
        return toolClass.startsWith("org.apache.kafka.shell.")
                ? kafka + ":" + Layout.kafkaLib().resolveSibling("shell") + "/*"
                : kafka;
    }

    private static Path tempFile() {
        try {
            return Files.createTempFile("oxbow-tool-", ".txt");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
