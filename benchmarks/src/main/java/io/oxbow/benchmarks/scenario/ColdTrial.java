// SPDX-License-Identifier: Apache-2.0
package io.oxbow.benchmarks.scenario;

import io.oxbow.benchmarks.frame.Effort;
import io.oxbow.benchmarks.frame.Lab;
import io.oxbow.benchmarks.peer.Broker;
import io.oxbow.benchmarks.peer.Peer;
import java.util.Map;

/** What is done with one new broker that has been formatted and not yet started. */
@FunctionalInterface
interface ColdTrial {

    /** Does it; a value for each figure. */
    Map<String, Double> on(Broker broker, Effort effort) throws Exception;

    /** On a new broker of its own, which is gone afterwards. */
    default Map<String, Double> run(Lab lab, Peer peer) throws Exception {
        try (Broker broker = lab.fresh(peer, Map.of())) {
            return on(broker, lab.effort());
        }
    }
}
