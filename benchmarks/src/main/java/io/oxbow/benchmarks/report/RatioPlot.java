// SPDX-License-Identifier: Apache-2.0
package io.oxbow.benchmarks.report;

import io.oxbow.benchmarks.frame.Aim;
import io.oxbow.benchmarks.frame.Result.Row;
import io.oxbow.benchmarks.frame.Spread;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;

/** All ratios under each other on one logarithmic axis, as an SVG element. */
final class RatioPlot {

    private static final int LABEL_WIDTH = 400;
    private static final int PLOT_WIDTH = 640;
    private static final int ROW_HEIGHT = 20;
    private static final int TOP = 26;
    private static final double[] TICKS = {
        0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100
    };

    private final double low;
    private final double high;

    private RatioPlot(double low, double high) {
        this.low = low;
        this.high = high;
    }

    static String of(List<Row> all) {
        List<Row> rows = all.stream().filter(row -> Double.isFinite(row.ratio().median())).toList();
        RatioPlot plot =
                new RatioPlot(ends(rows).min().orElse(0.1) / 1.2, ends(rows).max().orElse(2) * 1.2);
        int height = TOP + rows.size() * ROW_HEIGHT + 8;
        StringBuilder svg = new StringBuilder();
        svg.append(
                "<svg viewBox=\"0 0 %d %d\" width=\"%d\" role=\"img\" aria-label=\"ratios\">%n"
                        .formatted(
                                LABEL_WIDTH + PLOT_WIDTH + 20,
                                height,
                                LABEL_WIDTH + PLOT_WIDTH + 20));
        svg.append(plot.axis(height));
        for (int i = 0; i < rows.size(); i++) {
            svg.append(plot.row(rows.get(i), TOP + i * ROW_HEIGHT + ROW_HEIGHT / 2));
        }
        return svg.append("</svg>\n").toString();
    }

    private static DoubleStream ends(List<Row> rows) {
        return rows.stream()
                .flatMapToDouble(row -> DoubleStream.of(row.ratio().min(), row.ratio().max(), 1))
                .filter(end -> end > 0 && Double.isFinite(end));
    }

    private String axis(int height) {
        StringBuilder axis = new StringBuilder();
        for (double tick : TICKS) {
            if (tick >= low && tick <= high) {
                axis.append(
                        ("<line class=\"%s\" x1=\"%2$.1f\" x2=\"%2$.1f\" y1=\"%3$d\""
                             + " y2=\"%4$d\"/><text class=\"faint\" text-anchor=\"middle\""
                             + " x=\"%2$.1f\" y=\"14\">%5$s</text>%n")
                                .formatted(
                                        tick == 1 ? "one" : "grid",
                                        x(tick),
                                        TOP - 6,
                                        height,
                                        tick < 1 ? String.valueOf(tick) : "%.0f".formatted(tick)));
            }
        }
        return axis.toString();
    }

    private String row(Row row, int y) {
        Spread ratio = row.ratio();
        String kind = row.figure().aim().isEmpty() ? "free" : Numbers.verdict(row);
        StringBuilder svg = new StringBuilder();
        svg.append(
                "<text x=\"0\" y=\"%d\">%s<tspan class=\"faint\"> %s%s</tspan></text>"
                        .formatted(
                                y + 4,
                                HtmlReport.escaped(row.scenario()),
                                HtmlReport.escaped(row.figure().name()),
                                row.figure().moreIsBetter() ? " &#8594;" : ""));
        svg.append(
                ("<line class=\"%1$s\" x1=\"%2$.1f\" x2=\"%3$.1f\" y1=\"%4$d\" y2=\"%4$d\"/><circle"
                                + " class=\"%1$s\" cx=\"%5$.1f\" cy=\"%4$d\" r=\"4\"><title>%6$s"
                                + "</title></circle>")
                        .formatted(
                                kind,
                                x(ratio.min()),
                                x(ratio.max()),
                                y,
                                x(ratio.median()),
                                Numbers.spread(ratio)));
        aimRatio(row)
                .ifPresent(
                        aim ->
                                svg.append(
                                        "<line class=\"aim\" x1=\"%1$.1f\" x2=\"%1$.1f\" y1=\"%2$d\" y2=\"%3$d\"/>"
                                                .formatted(x(aim), y - 7, y + 7)));
        return svg.append('\n').toString();
    }

    /** An aim that is a value has its place at that value as a part of Kafka's. */
    private static OptionalDouble aimRatio(Row row) {
        return switch (row.figure().aim().orElse(null)) {
            case null -> OptionalDouble.empty();
            case Aim.RatioAtMost(double limit) -> OptionalDouble.of(limit);
            case Aim.RatioAtLeast(double limit) -> OptionalDouble.of(limit);
            case Aim.AtMost(double limit) -> OptionalDouble.of(limit / row.kafka().median());
        };
    }

    private double x(double ratio) {
        double inside = Math.clamp(ratio, low, high);
        return LABEL_WIDTH + PLOT_WIDTH * Math.log(inside / low) / Math.log(high / low);
    }
}
