// SPDX-License-Identifier: Apache-2.0
package io.oxbow.testkit.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What a Java process holds: memory, threads, descriptors, and what is on its heap after a full
 * collection. Asks {@code /proc} and {@code jcmd}; Linux only.
 */
public final class ProcessProbe {

    private static final Pattern CLASS_LINE =
            Pattern.compile("\\s*\\d+:\\s+(\\d+)\\s+(\\d+)\\s+(\\S+).*");

    private final long pid;

    public ProcessProbe(long pid) {
        this.pid = pid;
    }

    /**
     * One look at a process.
     *
     * @param residentBytes memory that it has in RAM
     * @param heapBytes live objects after a full collection
     */
    public record Holding(int threads, int descriptors, long residentBytes, long heapBytes) {
        @Override
        public String toString() {
            return "%d threads, %d descriptors, %.1f MiB resident, %.1f MiB of live objects"
                    .formatted(
                            threads, descriptors, residentBytes / 1048576.0, heapBytes / 1048576.0);
        }
    }

    /** Collects garbage and looks. */
    public Holding afterCollection() {
        long heap = histogram().values().stream().mapToLong(Long::longValue).sum();
        return new Holding(threads(), descriptors(), residentBytes(), heap);
    }

    /** Live bytes by class name, after a full collection. */
    public Map<String, Long> histogram() {
        Map<String, Long> bytes = new TreeMap<>();
        jcmd("GC.class_histogram")
                .lines()
                .map(CLASS_LINE::matcher)
                .filter(Matcher::matches)
                .forEach(
                        line ->
                                bytes.merge(
                                        line.group(3), Long.parseLong(line.group(2)), Long::sum));
        return bytes;
    }

    /** The classes that have grown most between two histograms, in words. */
    public static List<String> growth(Map<String, Long> before, Map<String, Long> after, int most) {
        Map<String, Long> grown = new TreeMap<>();
        after.forEach((name, bytes) -> grown.put(name, bytes - before.getOrDefault(name, 0L)));
        return grown.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder()))
                .limit(most)
                .map(entry -> "%+d bytes of %s".formatted(entry.getValue(), entry.getKey()))
                .toList();
    }

    /** Threads of the operating system. */
    public int threads() {
        return entries("task").size();
    }

    /** Open file descriptors. */
    public int descriptors() {
        return entries("fd").size();
    }

    /** What the descriptors lead to, for messages of failing tests. */
    public List<String> descriptorTargets() {
        return entries("fd").stream().map(ProcessProbe::target).sorted().toList();
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException gone) {
            return "closed meanwhile";
        }
    }

    /** Memory in RAM. */
    public long residentBytes() {
        try {
            return Files.readAllLines(proc("status")).stream()
                    .filter(line -> line.startsWith("VmRSS:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
                    .findFirst()
                    .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String jcmd(String command) {
        String tool = Path.of(Layout.java()).resolveSibling("jcmd").toString();
        return ToolRun.run("", List.of(tool, Long.toString(pid), command)).ok();
    }

    private List<Path> entries(String name) {
        try (Stream<Path> list = Files.list(proc(name))) {
            return list.toList();
        } catch (NoSuchFileException gone) {
            throw new AssertionError("process " + pid + " has ended", gone);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path proc(String name) {
        return Path.of("/proc", Long.toString(pid), name);
    }
}
