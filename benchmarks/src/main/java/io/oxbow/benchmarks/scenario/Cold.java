// SPDX-License-Identifier: Apache-2.0
package io.oxbow.benchmarks.scenario;

import io.oxbow.benchmarks.frame.Effort;
import io.oxbow.benchmarks.frame.Figure;
import io.oxbow.benchmarks.frame.Lab;
import io.oxbow.benchmarks.frame.Scenario;
import io.oxbow.benchmarks.peer.Broker;
import io.oxbow.benchmarks.peer.Peer;
import java.util.List;
import java.util.Map;

/**
 * A scenario whose every trial has a broker process of its own. Each peer is started once before
 * the first of them, so that its jars, and what it keeps to start faster, are in the page cache.
 */
record Cold(String name, String text, Effort.Scale from, List<Figure> figures, ColdTrial procedure)
        implements Scenario {

    @Override
    public boolean isWarm() {
        return false;
    }

    @Override
    public Session open(Lab lab) {
        if (lab.isFirstCold()) {
            for (Peer peer : Peer.values()) {
                startOnce(lab, peer);
            }
        }
        return peer -> {
            lab.readyMemory(1);
            return procedure.run(lab, peer);
        };
    }

    private static void startOnce(Lab lab, Peer peer) {
        try (Broker broker = lab.fresh(peer, Map.of()).launch()) {
            Serving.port(broker);
            broker.stop();
        }
    }
}
