// SPDX-License-Identifier: Apache-2.0
package io.oxbow.benchmarks.frame;

import io.oxbow.benchmarks.peer.Peer;
import java.util.List;
import java.util.Map;

/** One thing to measure on both peers in the same way. */
public interface Scenario {

    /** By which it is chosen: small letters, digits and dashes. */
    String name();

    /** What is done, in one sentence. */
    String text();

    /** What it measures, in the order of the tables. */
    List<Figure> figures();

    /** The smallest scale that includes it. */
    default Effort.Scale from() {
        return Effort.Scale.QUICK;
    }

    /** Whether it runs on the two brokers that stay up, or on processes of its own. */
    boolean isWarm();

    /** Gets ready: makes what all of its trials need. */
    Session open(Lab lab);

    /** The trials of one scenario. */
    interface Session extends AutoCloseable {

        /** Measures one peer; a value for each figure of the scenario, by its name. */
        Map<String, Double> trial(Peer peer) throws Exception;

        /** Removes what {@link Scenario#open} and the trials have left. */
        @Override
        default void close() {}
    }
}
