// SPDX-License-Identifier: Apache-2.0
package io.oxbow.benchmarks.frame;

import io.oxbow.benchmarks.peer.Neighbours;
import io.oxbow.benchmarks.peer.Peer;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Runs both peers in turn: A B, then B A, and so on, so that what drifts on the machine meets both.
 */
public final class Pairs {

    private final Lab lab;
    private final PrintStream progress;

    public Pairs(Lab lab, PrintStream progress) {
        this.lab = lab;
        this.progress = progress;
    }

    /** Measures one scenario. */
    public Result run(Scenario scenario) throws Exception {
        Effort effort = lab.effort();
        Map<Peer, List<Map<String, Double>>> runs = new EnumMap<>(Peer.class);
        for (Peer peer : Peer.values()) {
            runs.put(peer, new ArrayList<>());
        }
        double busiest = 0;
        if (!scenario.isWarm()) {
            lab.closeWarm();
        }
        try (Scenario.Session session = scenario.open(lab)) {
            int pairs = scenario.isWarm() ? effort.warmPairs() : effort.coldPairs();
            for (int pair = 0; pair < pairs; pair++) {
                for (Peer peer : order(pair)) {
                    Neighbours neighbours = Neighbours.watch();
                    Map<String, Double> figures = session.trial(peer);
                    busiest = Math.max(busiest, neighbours.processors());
                    runs.get(peer).add(figures);
                    progress.printf(
                            "  %4.0f s  %s pair %d, %s: %s%n",
                            lab.seconds(),
                            scenario.name(),
                            pair + 1,
                            peer.title(),
                            rounded(figures));
                }
            }
        }
        return new Result(scenario, runs, busiest);
    }

    /** Who comes first alternates. */
    static List<Peer> order(int pair) {
        return pair % 2 == 0 ? List.of(Peer.OXBOW, Peer.KAFKA) : List.of(Peer.KAFKA, Peer.OXBOW);
    }

    private static String rounded(Map<String, Double> figures) {
        List<String> parts = new ArrayList<>();
        figures.forEach((name, value) -> parts.add("%s %.3f".formatted(name, value)));
        return String.join(", ", parts);
    }
}
