// SPDX-License-Identifier: Apache-2.0
package io.oxbow.benchmarks.report;

import io.oxbow.benchmarks.frame.Figure;
import io.oxbow.benchmarks.frame.Result;
import io.oxbow.benchmarks.frame.Result.Row;
import io.oxbow.benchmarks.peer.Peer;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Everything for programs: one object for each scenario with its rows and, under {@code runs}, each
 * single value. A ratio that does not exist is null.
 */
public final class JsonReport {

    private JsonReport() {}

    /** One JSON document. */
    public static String of(Setup setup, List<Result> results) {
        return results.stream()
                .map(JsonReport::scenario)
                .collect(
                        Collectors.joining(
                                ",\n",
                                "{\"command\": %s,\n\"machine\": %s,\n\"started\": %s,\n\"scenarios\": [\n"
                                        .formatted(
                                                quoted(setup.command()),
                                                quoted(setup.machine()),
                                                quoted(setup.started())),
                                "]}\n"));
    }

    private static String scenario(Result result) {
        String rows =
                result.rows().stream()
                        .map(row -> "  " + row(result, row))
                        .collect(Collectors.joining(",\n"));
        return "{\"name\": %s, \"text\": %s, \"busiestNeighbours\": %s, \"figures\": [\n%s]}"
                .formatted(
                        quoted(result.scenario().name()),
                        quoted(result.scenario().text()),
                        number(result.busiestNeighbours()),
                        rows);
    }

    private static String row(Result result, Row row) {
        Figure figure = row.figure();
        return ("{\"figure\": %s, \"kafka\": %s, \"oxbow\": %s, \"ratio\": %s, \"ratioMin\": %s,"
                        + " \"ratioMax\": %s, \"aim\": %s, \"reached\": %s, \"runs\": {%s, %s}}")
                .formatted(
                        quoted(figure.name()),
                        number(row.kafka().median()),
                        number(row.ours().median()),
                        number(row.ratio().median()),
                        number(row.ratio().min()),
                        number(row.ratio().max()),
                        figure.aim().isEmpty() ? "null" : quoted(Numbers.aim(row)),
                        figure.aim().isEmpty() ? "null" : String.valueOf(row.reached()),
                        runs(result, figure, Peer.KAFKA),
                        runs(result, figure, Peer.OXBOW));
    }

    private static String runs(Result result, Figure figure, Peer peer) {
        return result.values(peer, figure).stream()
                .map(JsonReport::number)
                .collect(
                        Collectors.joining(
                                ", ", quoted(peer.name().toLowerCase(Locale.ROOT)) + ": [", "]"));
    }

    private static String number(double value) {
        return Double.isFinite(value)
                ? new BigDecimal(value, new MathContext(6)).toString()
                : "null";
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
    }
}
