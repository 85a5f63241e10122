// SPDX-License-Identifier: Apache-2.0
package io.oxbow.benchmarks;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What one run of one broker showed, by name of the figure, with the unit in the name. In the order
 * in which they are printed.
 */
record Measurement(Map<String, Double> figures) {

    static final String RECORDS_PER_S = "records/s";
    static final String MB_PER_S = "MB/s";
    static final String CPU_S_PER_GB = "broker CPU s/GB";

    Measurement {
        figures = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(figures));
    }

    /** Whether a larger value is the better one. */
    static boolean moreIsBetter(String figure) {
        return figure.endsWith("/s");
    }
}
