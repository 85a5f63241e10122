// SPDX-License-Identifier: Apache-2.0
package io.oxbow.benchmarks.report;

import io.oxbow.benchmarks.frame.Result;
import io.oxbow.benchmarks.frame.Result.Row;
import io.oxbow.benchmarks.peer.Peer;
import java.util.List;
import java.util.stream.Collectors;

/** One page that needs no other file: all ratios in one plot, then a table with all runs. */
public final class HtmlReport {

    private static final String STYLE =
            """
            body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 76rem;
                   padding: 0 1rem; color: #1b1f24; background: #fff; }
            h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin: 2rem 0 .2rem; }
            p { margin: .2rem 0 .6rem; color: #57606a; }
            table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
            th, td { text-align: right; padding: .3rem .6rem; border-bottom: 1px solid #d8dee4; }
            th:first-child, td:first-child { text-align: left; } th { font-weight: 600; }
            .reached { color: #116329; } .missed { color: #a40e26; }
            svg { display: block; max-width: 100%; height: auto; }
            svg text { font: 12px system-ui, sans-serif; fill: #1b1f24; }
            svg .faint { fill: #6e7781; } svg .grid { stroke: #d8dee4; } svg .one { stroke: #1b1f24; }
            svg .reached { fill: #1a7f37; stroke: #1a7f37; } svg .missed { fill: #cf222e; stroke: #cf222e; }
            svg .free { fill: #57606a; stroke: #57606a; } svg .aim { stroke: #0969da; stroke-width: 2; }
            svg .kafka { fill: #9a6700; } svg .oxbow { fill: #0969da; }
            """;

    private HtmlReport() {}

    /** A whole HTML document. */
    public static String of(Setup setup, List<Result> results) {
        StringBuilder page = new StringBuilder();
        page.append("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">");
        page.append("<meta name=\"viewport\" content=\"width=device-width\">");
        page.append("<title>Oxbow beside Apache Kafka 4.4.0</title><style>\n")
                .append(STYLE)
                .append("</style></head><body>\n<h1>Oxbow beside Apache Kafka 4.4.0</h1>\n");
        page.append(
                "<p><code>%s</code><br>%s<br>%s</p>%n"
                        .formatted(
                                escaped(setup.command()),
                                escaped(setup.machine()),
                                escaped(setup.started())));
        setup.notes().forEach(note -> page.append("<p>").append(escaped(note)).append("</p>\n"));
        page.append("<h2>Oxbow's figure as a multiple of Kafka's</h2>\n");
        page.append(
                "<p>A dot is the median of the pairs, its line the smallest and the largest. The"
                        + " blue mark is the aim. Costs are better to the left, rates"
                        + " (&#8594;) to the right.</p>\n");
        List<Row> rows = results.stream().flatMap(result -> result.rows().stream()).toList();
        page.append(RatioPlot.of(rows));
        results.forEach(result -> page.append(scenario(result)));
        return page.append("</body></html>\n").toString();
    }

    private static String scenario(Result result) {
        String rows =
                result.rows().stream()
                        .map(row -> row(result, row))
                        .collect(Collectors.joining("\n"));
        return """
        <h2>%s</h2><p>%s</p>
        <table><tr><th>figure</th><th>Kafka</th><th>Oxbow</th><th>ratio (min .. max)</th>
        <th>aim</th><th></th><th>all runs</th></tr>
        %s</table>
        """
                .formatted(
                        escaped(result.scenario().name()), escaped(result.scenario().text()), rows);
    }

    private static String row(Result result, Row row) {
        String verdict = Numbers.verdict(row);
        return "<tr><td>%s</td><td>%s</td><td>%s</td><td>%s</td><td>%s</td><td class=\"%s\">%s</td><td>%s</td></tr>"
                .formatted(
                        escaped(row.figure().name()),
                        Numbers.value(row.kafka().median()),
                        Numbers.value(row.ours().median()),
                        Numbers.spread(row.ratio()),
                        escaped(Numbers.aim(row)),
                        verdict,
                        verdict,
                        RunsPlot.of(
                                result.values(Peer.KAFKA, row.figure()),
                                result.values(Peer.OXBOW, row.figure())));
    }

    /** Text as it may stand between tags and in attributes. */
    static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
