// SPDX-License-Identifier: Apache-2.0
package io.oxbow.testkit.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * A process of the operating system whose output goes to a file. Closing it kills it; whatever is
 * still alive when this virtual machine ends is killed then.
 */
public final class ChildProcess implements AutoCloseable {
    private static final int TAIL_LINES = 40;

    // Written by every thread that starts or closes a process, read by the shutdown hook: no
    // message can reach a hook.
    private static final Set<Process> ALIVE = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime()
                .addShutdownHook(
                        new Thread(
                                () -> ALIVE.forEach(Process::destroyForcibly),
                                "kill-child-processes"));
    }

    private final List<String> command;
    private final Process process;
    private final Path output;

    private ChildProcess(List<String> command, Process process, Path output) {
        this.command = command;
        this.process = process;
        this.output = output;
    }

    /** Starts {@code command}; standard output and error are appended to {@code output}. */
    public static ChildProcess start(
            List<String> command, Map<String, String> environment, Path output) {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        builder.redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()));
        builder.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
        try {
            Process process = builder.start();
            ALIVE.add(process);
            var _ = process.onExit().thenAccept(ALIVE::remove);
            return new ChildProcess(List.copyOf(command), process, output);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot run " + String.join(" ", command), e);
        }
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Everything that the process and its predecessors on the same file have printed. */
    public String output() {
        try {
            return Files.readString(output, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Lines of the output that {@code wanted} accepts; the output may be larger than the heap. */
    public List<String> outputLines(Predicate<String> wanted) {
        // Not Files.lines: garbage that was logged need not be UTF-8.
        try (BufferedReader lines =
                new BufferedReader(
                        new InputStreamReader(
                                Files.newInputStream(output), StandardCharsets.UTF_8))) {
            return lines.lines().filter(wanted).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The last lines of the output, for messages of failing tests. */
    public String outputTail() {
        ArrayDeque<String> last = new ArrayDeque<>();
        outputLines(
                line -> {
                    if (last.size() == TAIL_LINES) last.removeFirst();
                    last.addLast(line);
                    return false;
                });
        return String.join("\n", last);
    }

    /**
     * Waits until the process has ended by itself.
     *
     * @return its exit code; 128 + signal when a signal ended it
     */
    public int awaitExit(Duration limit) {
        try {
            if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new AssertionError(
                        "still running after %d ms: %s%n%s"
                                .formatted(limit.toMillis(), command, outputTail()));
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Asks it to end (SIGTERM) and waits; the exit code. */
    public int terminate(Duration limit) {
        process.destroy();
        return awaitExit(limit);
    }

    /** Ends it at once (SIGKILL) and waits until it is gone. */
    public void kill() {
        process.destroyForcibly();
        awaitExit(Duration.ofSeconds(30));
    }

    @Override
    public void close() {
        if (process.isAlive()) {
            kill();
        }
    }
}
