// SPDX-License-Identifier: Apache-2.0
package io.oxbow.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** CPU time that a process has used, from {@code /proc/PID/stat}. Linux only. */
final class ProcessCpu {

    /** USER_HZ, which the kernel reports to user space, is 100 on every architecture we run on. */
    private static final double TICKS_PER_SECOND = 100;

    private static final int USER_TICKS = 11;
    private static final int SYSTEM_TICKS = 12;

    private ProcessCpu() {}

    /** User and system time in seconds. */
    static double seconds(long pid) {
        try {
            return parse(Files.readString(Path.of("/proc", String.valueOf(pid), "stat")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The fields after the command's name, which may hold spaces and brackets itself. */
    static double parse(String stat) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        long ticks = Long.parseLong(fields[USER_TICKS]) + Long.parseLong(fields[SYSTEM_TICKS]);
        return ticks / TICKS_PER_SECOND;
    }
}
