// SPDX-License-Identifier: Apache-2.0
package io.oxbow.testkit.fault;

import io.oxbow.testkit.process.ToolRun;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Spoils the file calls of processes that are started with {@link #environment()}, from the moment
 * a fault is injected until it is lifted. Used by one thread; counters may be read by any.
 *
 * <p>Works with gcc and glibc only: see {@link #isPossible()}. What a process maps into memory is
 * not caught, and the calls of a statically linked program neither.
 */
public final class FaultyDisk implements AutoCloseable {

    private final Path library;
    private final Path control;
    private final Path synced;
    private final FaultFile file;
    private final boolean[] taken = new boolean[FaultFile.RULES];

    /** A fault that is under way; closing it lifts it. */
    public final class Injected implements AutoCloseable {
        private final int rule;

        private Injected(int rule) {
            this.rule = rule;
        }

        /** How many calls it was about, harmed or not, by all processes. */
        public long calls() {
            return file.calls(rule);
        }

        /** How many bytes these calls asked for. */
        public long bytes() {
            return file.bytes(rule);
        }

        @Override
        public void close() {
            file.remove(rule);
            taken[rule] = false;
        }
    }

    /**
     * Builds the library.
     *
     * @param home an existing directory for the library and the control file
     */
    public FaultyDisk(Path home) {
        library = build(home);
        control = home.resolve("faults");
        synced = home.resolve("synced");
        file = new FaultFile(control);
    }

    /** Whether this machine can build it: Linux, glibc and gcc. */
    public static boolean isPossible() {
        try {
            String loader = ToolRun.run("", List.of("ldd", "--version")).output();
            return loader.matches("(?s).*(GLIBC|GNU libc).*")
                    && ToolRun.run("", List.of("gcc", "--version")).exitCode() == 0;
        } catch (UncheckedIOException missing) {
            return false;
        }
    }

    private static Path build(Path home) {
        Path source = home.resolve("faulty_disk.c");
        Path built = home.resolve("libfaulty_disk.so");
        try (InputStream text = FaultyDisk.class.getResourceAsStream("faulty_disk.c")) {
            Files.copy(text, source);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<String> options = List.of("-O2", "-fPIC", "-shared", "-Wall", "-Wextra");
        ToolRun.run("", command(options, built, source)).ok();
        return built;
    }

    private static List<String> command(List<String> options, Path built, Path source) {
        List<String> command = new ArrayList<>(List.of("gcc"));
        command.addAll(options);
        command.addAll(List.of("-o", built.toString(), source.toString(), "-ldl"));
        return command;
    }

    /** What a process needs in its environment to be spoilt. */
    public Map<String, String> environment() {
        return Map.of(
                "LD_PRELOAD", library.toString(),
                "OXBOW_FAULTS", control.toString(),
                "OXBOW_SYNCED", synced.toString());
    }

    /** A loss of power for these directories, of which all that is there now is durable. */
    public PowerLoss powerLoss(List<Path> directories) {
        return new PowerLoss(directories, synced);
    }

    /** Begins a fault; it holds for calls that begin after this one returns. */
    public Injected inject(Fault fault) {
        for (int rule = 0; rule < FaultFile.RULES; rule++) {
            if (!taken[rule]) {
                taken[rule] = true;
                file.put(rule, fault);
                return new Injected(rule);
            }
        }
        throw new IllegalStateException("no more than " + FaultFile.RULES + " faults at a time");
    }

    /** The process that last loaded the library, 0 if none did. */
    public int pid() {
        return file.pid();
    }

    @Override
    public void close() {
        file.close();
    }
}
