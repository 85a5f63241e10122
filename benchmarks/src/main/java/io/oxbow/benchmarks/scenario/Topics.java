// SPDX-License-Identifier: Apache-2.0
package io.oxbow.benchmarks.scenario;

import io.oxbow.benchmarks.client.Control;
import io.oxbow.benchmarks.client.Payload;
import io.oxbow.benchmarks.peer.Broker;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;

/**
 * The topics of a session. A topic of few partitions lives for one trial, so that its pages leave
 * the cache with it; one of many is kept until the session ends, because making it takes longer
 * than the trial.
 */
final class Topics implements AutoCloseable {

    private static final int MANY = 100;
    private static int serial;

    private final Map<Broker, String> kept = new HashMap<>();

    /** A topic whose partitions all take records. */
    String forTrial(Broker broker, String prefix, int partitions) {
        if (partitions >= MANY && kept.containsKey(broker)) {
            return kept.get(broker);
        }
        String topic = nextName(prefix);
        create(broker, topic, partitions, Map.of());
        if (partitions >= MANY) {
            kept.put(broker, topic);
        }
        return topic;
    }

    /** A name that no topic of this run has. */
    static String nextName(String prefix) {
        return prefix + "-" + ++serial;
    }

    /** Deletes it, unless it is kept. */
    void afterTrial(Broker broker, String topic, int partitions) {
        if (partitions < MANY) {
            delete(broker, topic);
        }
    }

    /** Makes a topic and waits until every partition has taken a small record. */
    static void create(Broker broker, String topic, int partitions, Map<String, String> configs) {
        Serving.port(broker);
        try (Control control = new Control(broker)) {
            broker.await(
                    "create " + topic,
                    20,
                    () -> isMade(control.create(topic, partitions, configs)));
            Set<Integer> pending = all(partitions);
            MemoryRecords batch = smallBatch();
            broker.await("write to " + topic, 20, () -> control.produce(topic, pending, batch));
        }
    }

    /** Whether a topic is there after this answer. */
    static boolean isMade(Errors answer) {
        return answer == Errors.NONE || answer == Errors.TOPIC_ALREADY_EXISTS;
    }

    /** The numbers of all partitions, to be crossed off. */
    static Set<Integer> all(int partitions) {
        return IntStream.range(0, partitions)
                .boxed()
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** One record of 100 bytes. */
    static MemoryRecords smallBatch() {
        return Payload.INCOMPRESSIBLE.batch(100, 0);
    }

    static void delete(Broker broker, String topic) {
        try (Control control = new Control(broker)) {
            control.delete(topic);
        }
    }

    @Override
    public void close() {
        kept.forEach(Topics::delete);
    }
}
