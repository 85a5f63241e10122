// SPDX-License-Identifier: Apache-2.0
package io.oxbow.benchmarks.frame;

/**
 * How much time a run may take.
 *
 * @param scale name of the set of scenarios
 * @param warmPairs pairs of scenarios whose brokers stay up
 * @param coldPairs pairs of scenarios that start processes
 * @param seconds length of one measured load
 * @param warmUpSeconds load on each broker before anything is measured
 */
public record Effort(
        Scale scale, int warmPairs, int coldPairs, double seconds, double warmUpSeconds) {

    /** Which scenarios are run if none is named. */
    public enum Scale {
        QUICK,
        NORMAL,
        FULL
    }

    /** The usual lengths for a scale. */
    public static Effort of(Scale scale) {
        return switch (scale) {
            case QUICK -> new Effort(scale, 3, 1, 1.0, 5);
            case NORMAL -> new Effort(scale, 5, 3, 3, 15);
            case FULL -> new Effort(scale, 7, 3, 5, 20);
        };
    }

    /** A copy with another number of pairs. */
    public Effort withPairs(int pairs) {
        return new Effort(scale, pairs, pairs, seconds, warmUpSeconds);
    }

    /** A copy with other lengths of a load. */
    public Effort withSeconds(double length) {
        return new Effort(scale, warmPairs, coldPairs, length, warmUpSeconds);
    }
}
