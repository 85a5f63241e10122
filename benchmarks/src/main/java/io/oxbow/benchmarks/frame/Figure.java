// SPDX-License-Identifier: Apache-2.0
package io.oxbow.benchmarks.frame;

import java.util.Optional;

/**
 * One thing that a scenario measures.
 *
 * @param name with its unit
 */
public record Figure(String name, boolean moreIsBetter, Optional<Aim> aim) {

    /** A cost: less is better. */
    public static Figure cost(String name) {
        return new Figure(name, false, Optional.empty());
    }

    /** A cost with an aim. */
    public static Figure cost(String name, Aim aim) {
        return new Figure(name, false, Optional.of(aim));
    }

    /** A rate: more is better. */
    public static Figure rate(String name) {
        return new Figure(name, true, Optional.empty());
    }

    /** A rate with an aim. */
    public static Figure rate(String name, Aim aim) {
        return new Figure(name, true, Optional.of(aim));
    }
}
