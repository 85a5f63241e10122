// SPDX-License-Identifier: Apache-2.0
package io.oxbow.benchmarks.peer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** What Linux tells about a process under {@code /proc/PID}. */
public record ProcessStat(long pid) {

    /** USER_HZ, which the kernel reports to user space, is 100 on every architecture we run on. */
    private static final double TICKS_PER_SECOND = 100;

    private static final int USER_TICKS = 11;
    private static final int SYSTEM_TICKS = 12;

    /** User and system time that all of its threads have used, in seconds. */
    public double cpuSeconds() {
        return parseCpu(read("stat"));
    }

    /** Resident memory in MiB, files that are mapped included. */
    public double residentMiB() {
        return parseResident(read("status"));
    }

    /** How often its threads that live have gone to sleep by themselves (voluntary switches). */
    public double sleeps() {
        try (Stream<Path> threads = Files.list(Path.of("/proc", String.valueOf(pid), "task"))) {
            return threads.mapToDouble(ProcessStat::sleepsOf).sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static double sleepsOf(Path thread) {
        try {
            return number(Files.readString(thread.resolve("status")), "voluntary_ctxt_switches:");
        } catch (IOException ended) {
            return 0;
        }
    }

    /** The fields after the command's name, which may hold spaces and brackets itself. */
    static double parseCpu(String stat) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        long ticks = Long.parseLong(fields[USER_TICKS]) + Long.parseLong(fields[SYSTEM_TICKS]);
        return ticks / TICKS_PER_SECOND;
    }

    static double parseResident(String status) {
        return number(status, "VmRSS:") / 1024;
    }

    private static double number(String status, String field) {
        return status.lines()
                .filter(line -> line.startsWith(field))
                .mapToDouble(line -> Double.parseDouble(line.replaceAll("[^0-9]", "")))
                .findFirst()
                .orElseThrow();
    }

    private String read(String file) {
        try {
            return Files.readString(Path.of("/proc", String.valueOf(pid), file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
