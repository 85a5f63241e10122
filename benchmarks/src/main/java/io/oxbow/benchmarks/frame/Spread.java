// SPDX-License-Identifier: Apache-2.0
package io.oxbow.benchmarks.frame;

import java.util.List;

/** Median, smallest and largest of some values. */
public record Spread(double median, double min, double max) {

    /** Of at least one value. */
    public static Spread of(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int half = sorted.size() / 2;
        double median =
                sorted.size() % 2 == 1
                        ? sorted.get(half)
                        : (sorted.get(half - 1) + sorted.get(half)) / 2;
        return new Spread(median, sorted.getFirst(), sorted.getLast());
    }
}
