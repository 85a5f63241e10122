// SPDX-License-Identifier: Apache-2.0
package io.oxbow.benchmarks.report;

import io.oxbow.benchmarks.frame.Result;
import io.oxbow.benchmarks.frame.Result.Row;
import java.util.List;

/** A table for a terminal, one row for each figure. */
public final class TextReport {

    private static final String LINE = "%-30s %-31s %9s %9s  %-22s %-14s %s%n";

    private TextReport() {}

    /** The whole report. */
    public static String of(Setup setup, List<Result> results) {
        StringBuilder text = new StringBuilder();
        text.append(setup.command()).append('\n');
        text.append(setup.machine()).append(", ").append(setup.started()).append('\n');
        setup.notes().forEach(note -> text.append(note).append('\n'));
        text.append('\n').append(header());
        results.forEach(result -> text.append(rows(result)));
        List<Row> aimed =
                results.stream()
                        .flatMap(result -> result.rows().stream())
                        .filter(row -> row.figure().aim().isPresent())
                        .toList();
        text.append(
                "%n%d of %d aims reached%n"
                        .formatted(aimed.stream().filter(Row::reached).count(), aimed.size()));
        return text.toString();
    }

    static String header() {
        return LINE.formatted(
                "scenario", "figure (medians)", "Kafka", "Oxbow", "ratio (min .. max)", "aim", "");
    }

    /** The rows of one scenario. */
    static String rows(Result result) {
        StringBuilder text = new StringBuilder();
        for (Row row : result.rows()) {
            text.append(
                    LINE.formatted(
                            row.scenario(),
                            row.figure().name(),
                            Numbers.value(row.kafka().median()),
                            Numbers.value(row.ours().median()),
                            Numbers.spread(row.ratio()),
                            Numbers.aim(row),
                            Numbers.verdict(row)));
        }
        if (result.isDisturbed()) {
            text.append(
                    "  (others used up to %.1f processors during a trial of %s)%n"
                            .formatted(result.busiestNeighbours(), result.scenario().name()));
        }
        return text.toString().replaceAll("(?m) +$", "");
    }
}
