// SPDX-License-Identifier: Apache-2.0
package io.oxbow.benchmarks;

import java.util.List;

/** Median, smallest and largest of some values. */
record Spread(double median, double min, double max) {

    static Spread of(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int half = sorted.size() / 2;
        double median =
                sorted.size() % 2 == 1
                        ? sorted.get(half)
                        : (sorted.get(half - 1) + sorted.get(half)) / 2;
        return new Spread(median, sorted.getFirst(), sorted.getLast());
    }
}
