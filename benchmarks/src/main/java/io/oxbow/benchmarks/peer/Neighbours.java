// SPDX-License-Identifier: Apache-2.0
package io.oxbow.benchmarks.peer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * How much of the machine others have used since this was taken: processes that this one has not
 * started, the kernel's own threads (write-back is one), and the host that takes processors away.
 */
public final class Neighbours {

    private static final int CHILD_TICKS = 13;
    private static final int NICE_AND_SYSTEM_END = 3;
    private static final int INTERRUPTS_START = 5;
    private static final int INTERRUPTS_END = 8;
    private static final double TICKS_PER_SECOND = 100;

    private final long takenNanos = System.nanoTime();
    private final double othersBefore = others();

    private Neighbours() {}

    /** Begins now. */
    public static Neighbours watch() {
        return new Neighbours();
    }

    /** Processors that were used by others, on the average; never less than zero. */
    public double processors() {
        double seconds = (System.nanoTime() - takenNanos) / 1e9;
        return Math.max(0, (others() - othersBefore) / seconds);
    }

    private static double others() {
        return busySeconds(read(Path.of("/proc/stat"))) - ownSeconds();
    }

    /** All that this process and those below it have used, ended ones included. */
    private static double ownSeconds() {
        ProcessHandle self = ProcessHandle.current();
        double ended = childSeconds(read(Path.of("/proc", "self", "stat")));
        return new ProcessStat(self.pid()).cpuSeconds()
                + ended
                + self.descendants().mapToDouble(Neighbours::secondsOrZero).sum();
    }

    private static double secondsOrZero(ProcessHandle process) {
        try {
            return new ProcessStat(process.pid()).cpuSeconds();
        } catch (UncheckedIOException hasEnded) {
            return 0;
        }
    }

    static double childSeconds(String stat) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return (Long.parseLong(fields[CHILD_TICKS]) + Long.parseLong(fields[CHILD_TICKS + 1]))
                / TICKS_PER_SECOND;
    }

    /** All but idle and waiting for disks; time that the host took away is in it. */
    static double busySeconds(String stat) {
        long[] ticks =
                Arrays.stream(stat.lines().findFirst().orElseThrow().trim().split("\\s+"))
                        .skip(1)
                        .mapToLong(Long::parseLong)
                        .toArray();
        long busy = 0;
        for (int i = 0; i < INTERRUPTS_END; i++) {
            if (i < NICE_AND_SYSTEM_END || i >= INTERRUPTS_START) {
                busy += ticks[i];
            }
        }
        return busy / TICKS_PER_SECOND;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
