// SPDX-License-Identifier: Apache-2.0
package io.oxbow.benchmarks;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the last lines of Kafka's own performance tools. Pure. */
final class PerfOutput {

    private static final String NUMBER = "([0-9.]+)";
    private static final Pattern PRODUCER =
            Pattern.compile(
                    "[0-9]+ records sent, "
                            + NUMBER
                            + " records/sec \\("
                            + NUMBER
                            + " MB/sec\\), "
                            + NUMBER
                            + " ms avg latency, "
                            + NUMBER
                            + " ms max latency, "
                            + NUMBER
                            + " ms 50th, "
                            + NUMBER
                            + " ms 95th, "
                            + NUMBER
                            + " ms 99th, "
                            + NUMBER
                            + " ms 99\\.9th\\.");

    private PerfOutput() {}

    /** The figures of the summary of kafka-producer-perf-test. */
    static Map<String, Double> producer(String output) {
        Matcher matcher = PRODUCER.matcher(output);
        List<String> names =
                List.of(
                        Measurement.RECORDS_PER_S,
                        Measurement.MB_PER_S,
                        "mean ms",
                        "max ms",
                        "p50 ms",
                        "p95 ms",
                        "p99 ms",
                        "p99.9 ms");
        Map<String, Double> figures = new LinkedHashMap<>();
        // The last one is the summary; the ones before it are progress.
        while (matcher.find()) {
            for (int i = 0; i < names.size(); i++) {
                figures.put(names.get(i), Double.valueOf(matcher.group(i + 1)));
            }
        }
        if (figures.isEmpty()) {
            throw new IllegalStateException("no summary in the producer's output:\n" + output);
        }
        return figures;
    }

    /** The figures of the last row of kafka-consumer-perf-test, without the time of rebalancing. */
    static Map<String, Double> consumer(String output) {
        String row = null;
        for (String line : output.lines().toList()) {
            if (line.matches("\\d{4}-\\d\\d-\\d\\d .*,.*,.*")) {
                row = line;
            }
        }
        if (row == null) {
            throw new IllegalStateException("no result in the consumer's output:\n" + output);
        }
        String[] cells = row.split(",\\s*", -1);
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put(Measurement.RECORDS_PER_S, Double.valueOf(cells[9]));
        figures.put(Measurement.MB_PER_S, Double.valueOf(cells[8]));
        return figures;
    }
}
