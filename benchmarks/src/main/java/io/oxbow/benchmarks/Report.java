// SPDX-License-Identifier: Apache-2.0
package io.oxbow.benchmarks;

import io.oxbow.testkit.process.Software;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What the pairs showed: each figure of both brokers as the median of the runs, and Oxbow's as a
 * ratio to Kafka's of the same pair, with the spread of the ratios.
 */
final class Report {

    private final Workload workload;
    private final Map<Software, List<Measurement>> runs;

    Report(Workload workload, Map<Software, List<Measurement>> runs) {
        this.workload = workload;
        this.runs = runs;
    }

    /** A table for people. */
    String text() {
        StringBuilder lines = new StringBuilder();
        lines.append('\n').append(workload.describe()).append('\n');
        lines.append(machine()).append("\n\n");
        lines.append(
                "%-18s %12s %12s   %s%n"
                        .formatted("median", "Oxbow", "Kafka 4.4.0", "Oxbow/Kafka (min .. max)"));
        for (String figure : figures()) {
            Spread ratio = Spread.of(ratios(figure));
            lines.append(
                    "%-18s %12s %12s   %.2f (%.2f .. %.2f) %s%n"
                            .formatted(
                                    figure,
                                    number(Spread.of(values(Software.OXBOW, figure)).median()),
                                    number(Spread.of(values(Software.KAFKA, figure)).median()),
                                    ratio.median(),
                                    ratio.min(),
                                    ratio.max(),
                                    Measurement.moreIsBetter(figure)
                                            ? "more is better"
                                            : "less is better"));
        }
        return lines.toString();
    }

    /** The same for programs, with every single run. */
    String json() {
        List<String> parts = new ArrayList<>();
        parts.add("\"workload\": \"" + workload.describe() + "\"");
        parts.add("\"machine\": \"" + machine() + "\"");
        for (Software software : Software.values()) {
            parts.add(
                    runs.get(software).stream()
                            .map(Report::object)
                            .collect(
                                    Collectors.joining(
                                            ",\n    ",
                                            "\""
                                                    + software.name().toLowerCase(Locale.ROOT)
                                                    + "\": [\n    ",
                                            "]")));
        }
        String ratios =
                figures().stream()
                        .map(figure -> "\"" + figure + "\": " + ratios(figure))
                        .collect(Collectors.joining(", ", "\"ratios\": {", "}"));
        parts.add(ratios);
        return parts.stream().collect(Collectors.joining(",\n  ", "{\n  ", "\n}\n"));
    }

    /** Writes NAME.txt and NAME.json. */
    void write(Path directory) throws IOException {
        Files.createDirectories(directory);
        String name = workload.kind().name().toLowerCase(Locale.ROOT);
        Files.writeString(directory.resolve(name + ".txt"), text());
        Files.writeString(directory.resolve(name + ".json"), json());
        System.out.println("\nwritten to " + directory.resolve(name) + ".txt and .json");
    }

    private static String object(Measurement one) {
        return one.figures().entrySet().stream()
                .map(entry -> "\"" + entry.getKey() + "\": " + entry.getValue())
                .collect(Collectors.joining(", ", "{", "}"));
    }

    private List<String> figures() {
        return List.copyOf(runs.get(Software.OXBOW).getFirst().figures().keySet());
    }

    private List<Double> values(Software software, String figure) {
        return runs.get(software).stream().map(run -> run.figures().get(figure)).toList();
    }

    /** Pair by pair: what the machine did meanwhile is in both. */
    private List<Double> ratios(String figure) {
        List<Double> oxbow = values(Software.OXBOW, figure);
        List<Double> kafka = values(Software.KAFKA, figure);
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < oxbow.size(); i++) {
            ratios.add(kafka.get(i) == 0 ? 1.0 : oxbow.get(i) / kafka.get(i));
        }
        return ratios;
    }

    private static String number(double value) {
        return value >= 1_000 ? "%,.0f".formatted(value) : "%.2f".formatted(value);
    }

    private static String machine() {
        return "%d processors, %s %s, Java %s"
                .formatted(
                        Runtime.getRuntime().availableProcessors(),
                        System.getProperty("os.name"),
                        System.getProperty("os.version"),
                        Runtime.version());
    }
}
