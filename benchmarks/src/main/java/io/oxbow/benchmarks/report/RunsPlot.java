// SPDX-License-Identifier: Apache-2.0
package io.oxbow.benchmarks.report;

import java.util.List;
import java.util.stream.Stream;

/** Each run of both peers as a dot on an axis that begins at zero, as a small SVG element. */
final class RunsPlot {

    private static final int WIDTH = 180;

    private RunsPlot() {}

    static String of(List<Double> kafka, List<Double> oxbow) {
        double most =
                Stream.concat(kafka.stream(), oxbow.stream())
                        .mapToDouble(Double::doubleValue)
                        .filter(Double::isFinite)
                        .max()
                        .orElse(1);
        return "<svg viewBox=\"0 0 %1$d 24\" width=\"%1$d\" height=\"24\">%2$s%3$s</svg>"
                .formatted(
                        WIDTH + 10, dots("kafka", kafka, most, 7), dots("oxbow", oxbow, most, 17));
    }

    private static String dots(String kind, List<Double> values, double most, int y) {
        StringBuilder svg = new StringBuilder();
        svg.append(
                "<line class=\"grid\" x1=\"5\" x2=\"%1$d\" y1=\"%2$d\" y2=\"%2$d\"/>"
                        .formatted(WIDTH + 5, y));
        for (double value : values) {
            svg.append(
                    "<circle class=\"%s\" cx=\"%.1f\" cy=\"%d\" r=\"3\"><title>%s %s</title></circle>"
                            .formatted(
                                    kind,
                                    5 + WIDTH * (most == 0 ? 0 : value / most),
                                    y,
                                    kind,
                                    Numbers.value(value)));
        }
        return svg.toString();
    }
}
