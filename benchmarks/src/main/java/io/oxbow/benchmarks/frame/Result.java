// SPDX-License-Identifier: Apache-2.0
package io.oxbow.benchmarks.frame;

import io.oxbow.benchmarks.peer.Peer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What the pairs of one scenario showed.
 *
 * @param runs the values by figure, for each peer in the order of the pairs
 * @param busiestNeighbours processors that others used on the average of the most disturbed trial
 */
public record Result(
        Scenario scenario, Map<Peer, List<Map<String, Double>>> runs, double busiestNeighbours) {

    /** More than this part of a processor used by others makes a result doubtful. */
    private static final double QUIET = 0.25;

    /** One line of the tables. */
    public record Row(
            String scenario, Figure figure, Spread kafka, Spread ours, List<Double> ratios) {

        /** Ours to Kafka's, pair by pair: what the machine did meanwhile is in both. */
        public Spread ratio() {
            return Spread.of(ratios);
        }

        /** Whether the aim has been reached; true if there is none. */
        public boolean reached() {
            return figure.aim()
                    .map(aim -> aim.reached(ours.median(), ratio().median()))
                    .orElse(true);
        }
    }

    /** Whether something else ran on the machine meanwhile. */
    public boolean isDisturbed() {
        return busiestNeighbours > QUIET;
    }

    /** A row for each figure. */
    public List<Row> rows() {
        return scenario.figures().stream().map(this::row).toList();
    }

    private Row row(Figure figure) {
        List<Double> kafka = values(Peer.KAFKA, figure);
        List<Double> ours = values(Peer.OXBOW, figure);
        return new Row(
                scenario.name(), figure, Spread.of(kafka), Spread.of(ours), ratios(ours, kafka));
    }

    /** The values of one figure in the order of the pairs. */
    public List<Double> values(Peer peer, Figure figure) {
        return runs.get(peer).stream().map(run -> run.get(figure.name())).toList();
    }

    private static List<Double> ratios(List<Double> ours, List<Double> kafka) {
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < ours.size(); i++) {
            ratios.add(kafka.get(i) == 0 ? Double.NaN : ours.get(i) / kafka.get(i));
        }
        return ratios;
    }
}
