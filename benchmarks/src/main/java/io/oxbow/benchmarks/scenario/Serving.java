// SPDX-License-Identifier: Apache-2.0
package io.oxbow.benchmarks.scenario;

import io.oxbow.benchmarks.client.Control;
import io.oxbow.benchmarks.peer.Broker;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.record.internal.MemoryRecords;

/** Waits for what a broker that is starting can do, on a new connection for each look. */
final class Serving {

    private static final int PAUSE_MS = 5;
    private static final int MANY_PAUSE_MS = 20;

    private Serving() {}

    /** The port is open. */
    static void port(Broker broker) {
        broker.await("open its port", PAUSE_MS, () -> ask(broker, control -> true));
    }

    /** A new topic with one partition takes a record and gives it back. */
    static void firstRecord(Broker broker, String topic) {
        broker.await(
                "make " + topic,
                PAUSE_MS,
                () -> ask(broker, c -> Topics.isMade(c.create(topic, 1, Map.of()))));
        recordThrough(broker, topic);
    }

    /** Partition 0 takes a record and gives back what it holds. */
    static void recordThrough(Broker broker, String topic) {
        Set<Integer> pending = Topics.all(1);
        MemoryRecords batch = Topics.smallBatch();
        broker.await(
                "take a record of " + topic,
                PAUSE_MS,
                () -> ask(broker, c -> c.produce(topic, pending, batch)));
        broker.await("give a record back", PAUSE_MS, () -> ask(broker, c -> c.reads(topic, 0)));
    }

    /** Every partition says where it ends and takes a record. */
    static void all(Broker broker, String topic, int partitions) {
        broker.await(
                "know the ends of " + topic,
                MANY_PAUSE_MS,
                () -> ask(broker, c -> c.endsKnown(topic, partitions)));
        written(broker, topic, partitions);
    }

    /** Every partition takes a record. */
    static void written(Broker broker, String topic, int partitions) {
        Set<Integer> pending = Topics.all(partitions);
        MemoryRecords batch = Topics.smallBatch();
        broker.await(
                "take a record in each partition of " + topic,
                MANY_PAUSE_MS,
                () -> ask(broker, c -> c.produce(topic, pending, batch)));
    }

    /** Every partition has a leader. */
    static void leaders(Broker broker, String topic, int partitions) {
        broker.await(
                "know the leaders of " + topic,
                MANY_PAUSE_MS,
                () -> ask(broker, c -> c.leadersKnown(topic, partitions)));
    }

    @FunctionalInterface
    private interface Question {
        boolean ask(Control control);
    }

    private static boolean ask(Broker broker, Question question) {
        try (Control control = new Control(broker)) {
            return question.ask(control);
        }
    }
}
