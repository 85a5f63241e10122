// SPDX-License-Identifier: Apache-2.0
package io.oxbow.benchmarks.frame;

/** What a figure should come to. */
public sealed interface Aim {

    /** Whether it has been reached, by the medians of ours and of the ratio to Kafka's. */
    boolean reached(double ours, double ratio);

    /** As the tables print it. */
    String text();

    /** Ours is at most this part of Kafka's. */
    static Aim ratioAtMost(double limit) {
        return new RatioAtMost(limit);
    }

    /** Ours is at least this multiple of Kafka's. */
    static Aim ratioAtLeast(double limit) {
        return new RatioAtLeast(limit);
    }

    /** Ours is at most this, whatever Kafka's is. */
    static Aim atMost(double limit) {
        return new AtMost(limit);
    }

    record RatioAtMost(double limit) implements Aim {
        @Override
        public boolean reached(double ours, double ratio) {
            return ratio <= limit;
        }

        @Override
        public String text() {
            return "ratio <= " + limit;
        }
    }

    record RatioAtLeast(double limit) implements Aim {
        @Override
        public boolean reached(double ours, double ratio) {
            return ratio >= limit;
        }

        @Override
        public String text() {
            return "ratio >= " + limit;
        }
    }

    record AtMost(double limit) implements Aim {
        @Override
        public boolean reached(double ours, double ratio) {
            return ours <= limit;
        }

        @Override
        public String text() {
            return "ours <= " + limit;
        }
    }
}
