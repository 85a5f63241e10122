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
 * A scenario on the brokers that stay up. Each trial gets a new topic; one short trial of each peer
 * comes before those that count.
 */
record Warm(String name, String text, Effort.Scale from, List<Figure> figures, Procedure procedure)
        implements Scenario {

    /**
     * The measured part.
     *
     * @param configs of its topic
     */
    record Procedure(int partitions, Map<String, String> configs, Measured measured) {}

    /** Puts a load on a topic for a time. */
    @FunctionalInterface
    interface Measured {
        /** A value for each figure. */
        Map<String, Double> on(Broker broker, String topic, double seconds) throws Exception;
    }

    @Override
    public boolean isWarm() {
        return true;
    }

    @Override
    public Session open(Lab lab) {
        for (Peer peer : Peer.values()) {
            run(lab.warm(peer), lab.effort().seconds() / 2);
        }
        return peer -> {
            lab.readyMemory(lab.effort().seconds());
            return run(lab.warm(peer), lab.effort().seconds());
        };
    }

    private Map<String, Double> run(Broker broker, double seconds) {
        String topic = Topics.nextName(name);
        Topics.create(broker, topic, procedure.partitions, procedure.configs);
        try {
            return procedure.measured.on(broker, topic, seconds);
        } catch (Exception e) {
            throw new IllegalStateException(name + " failed on " + broker.peer().title(), e);
        } finally {
            Topics.delete(broker, topic);
        }
    }
}
