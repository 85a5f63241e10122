// SPDX-License-Identifier: Apache-2.0
package io.oxbow.benchmarks.report;

import io.oxbow.benchmarks.frame.Aim;
import io.oxbow.benchmarks.frame.Result.Row;
import io.oxbow.benchmarks.frame.Spread;
import java.util.Locale;

/** How figures are written for people: three digits, no more. */
final class Numbers {

    private Numbers() {}

    static String value(double value) {
        double size = Math.abs(value);
        String pattern =
                size >= 1_000
                        ? "%,.0f"
                        : size >= 100
                                ? "%.0f"
                                : size >= 10 ? "%.1f" : size >= 0.1 ? "%.2f" : "%.3f";
        return String.format(Locale.ROOT, pattern, value);
    }

    static String spread(Spread ratio) {
        return "%.2f (%.2f .. %.2f)".formatted(ratio.median(), ratio.min(), ratio.max());
    }

    static String aim(Row row) {
        return row.figure().aim().map(Aim::text).orElse("");
    }

    static String verdict(Row row) {
        return row.figure().aim().isEmpty() ? "" : row.reached() ? "reached" : "missed";
    }
}
