// SPDX-License-Identifier: Apache-2.0
package io.oxbow.benchmarks.peer;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Counts the system calls of a process, all its threads together, by {@code perf stat}. It needs
 * {@code perf} and the right to trace (root, or {@code kernel.perf_event_paranoid} of -1). Counting
 * costs the process a few per cent.
 */
public final class SystemCalls {

    /** Those that brokers make; {@link #ALL} counts the others too. */
    public static final List<String> NAMES =
            List.of(
                    "epoll_wait",
                    "futex",
                    "recvfrom",
                    "read",
                    "readv",
                    "sendto",
                    "sendfile64",
                    "write",
                    "writev",
                    "pwritev",
                    "pwrite64",
                    "pread64");

    /** The name under which the total is counted. */
    public static final String ALL = "all";

    private static final String TOTAL_EVENT = "raw_syscalls:sys_enter";
    private static final String EVENT = "syscalls:sys_enter_";

    private final Process perf;

    private SystemCalls(Process perf) {
        this.perf = perf;
    }

    /** Begins to count. */
    public static SystemCalls count(ProcessStat process) throws IOException {
        String events = NAMES.stream().map(name -> EVENT + name).collect(Collectors.joining(","));
        List<String> command =
                List.of(
                        "perf",
                        "stat",
                        "-x;",
                        "-e",
                        TOTAL_EVENT + "," + events,
                        "-p",
                        String.valueOf(process.pid()));
        return new SystemCalls(new ProcessBuilder(command).redirectErrorStream(true).start());
    }

    /**
     * Ends the count.
     *
     * @return calls by name, and {@link #ALL}
     */
    public Map<String, Double> end() throws IOException, InterruptedException {
        // perf prints its counts when it is interrupted as from a keyboard.
        new ProcessBuilder("kill", "-INT", String.valueOf(perf.pid())).start().waitFor();
        List<String> lines = new ArrayList<>();
        try (BufferedReader out =
                new BufferedReader(
                        new InputStreamReader(perf.getInputStream(), StandardCharsets.UTF_8))) {
            out.lines().forEach(lines::add);
        }
        perf.waitFor();
        return parse(lines);
    }

    /** Lines of {@code perf stat -x;}: the count, its unit, the event, and more. */
    static Map<String, Double> parse(List<String> lines) throws IOException {
        Map<String, Double> counts = new LinkedHashMap<>();
        for (String line : lines) {
            String[] fields = line.split(";", -1);
            if (fields.length < 3) {
                continue;
            }
            String name = fields[2].equals(TOTAL_EVENT) ? ALL : fields[2].substring(EVENT.length());
            counts.put(name, Double.parseDouble(fields[0]));
        }
        if (!counts.containsKey(ALL)) {
            throw new IOException("perf counts no system calls: " + lines);
        }
        return counts;
    }
}
