// SPDX-License-Identifier: Apache-2.0
package io.oxbow.benchmarks.frame;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.oxbow.benchmarks.peer.Peer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ResultTest {

    private static final Figure CPU = Figure.cost("cpu", Aim.ratioAtMost(0.5));

    @Test
    void shouldTakeRatiosWithinPairsAndNotOfMedians() {
        // The machine was three times as slow in the second pair, for both.
        Result.Row row = result(List.of(1.0, 3.0, 2.0), List.of(2.0, 6.0, 4.0)).rows().getFirst();

        assertEquals(new Spread(0.5, 0.5, 0.5), row.ratio());
        assertEquals(2.0, row.ours().median());
        assertEquals(4.0, row.kafka().median());
        assertTrue(row.reached());
    }

    @Test
    void shouldMissAnAimByTheMedianRatio() {
        Result.Row row = result(List.of(1.0, 4.0, 3.0), List.of(4.0, 4.0, 4.0)).rows().getFirst();

        assertEquals(new Spread(0.75, 0.25, 1.0), row.ratio());
        assertFalse(row.reached());
    }

    @Test
    void shouldJudgeEachKindOfAim() {
        assertTrue(Aim.ratioAtLeast(1.3).reached(0, 1.4));
        assertFalse(Aim.ratioAtLeast(1.3).reached(0, 1.2));
        assertTrue(Aim.atMost(12).reached(11, 5));
        assertFalse(Aim.atMost(12).reached(13, 0.1));
    }

    @Test
    void shouldAlternateWhoComesFirst() {
        assertEquals(List.of(Peer.OXBOW, Peer.KAFKA), Pairs.order(0));
        assertEquals(List.of(Peer.KAFKA, Peer.OXBOW), Pairs.order(1));
    }

    @Test
    void shouldGiveTheMedianOfEvenAndOddCounts() {
        assertEquals(new Spread(2, 1, 3), Spread.of(List.of(3.0, 1.0, 2.0)));
        assertEquals(new Spread(1.5, 1, 2), Spread.of(List.of(2.0, 1.0)));
    }

    private static Result result(List<Double> ours, List<Double> kafka) {
        return new Result(
                new OneFigure(), Map.of(Peer.OXBOW, runs(ours), Peer.KAFKA, runs(kafka)), 0);
    }

    private static List<Map<String, Double>> runs(List<Double> values) {
        return values.stream().map(value -> Map.of("cpu", value)).toList();
    }

    private record OneFigure() implements Scenario {
        @Override
        public String name() {
            return "one";
        }

        @Override
        public String text() {
            return "one figure";
        }

        @Override
        public List<Figure> figures() {
            return List.of(CPU);
        }

        @Override
        public boolean isWarm() {
            return true;
        }

        @Override
        public Session open(Lab lab) {
            throw new UnsupportedOperationException();
        }
    }
}
