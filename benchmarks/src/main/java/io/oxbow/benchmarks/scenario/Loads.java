// SPDX-License-Identifier: Apache-2.0
package io.oxbow.benchmarks.scenario;

import io.oxbow.benchmarks.client.JavaConsumer;
import io.oxbow.benchmarks.client.JavaProducer;
import io.oxbow.benchmarks.client.LeanProducer;
import io.oxbow.benchmarks.client.Payload;
import io.oxbow.benchmarks.peer.Broker;
import java.util.Map;
import org.apache.kafka.common.record.internal.MemoryRecords;

/** Loads that several scenarios put on a broker before they measure. */
public final class Loads {

    /** The client as it ships. */
    static final JavaProducer.Settings SHIPPED = new JavaProducer.Settings("all", 16_384, "none");

    private Loads() {}

    /** Produces and consumes with the Java client for a time, to one partition and to several. */
    public static void warmUp(Broker broker, double seconds) {
        for (int partitions : new int[] {1, 12}) {
            String topic = "warm-up-" + partitions;
            Topics.create(broker, topic, partitions, Map.of());
            mixed(broker, topic, partitions, seconds / 2);
            Topics.delete(broker, topic);
        }
    }

    /** The load itself, on a topic that is there. */
    static void mixed(Broker broker, String topic, int partitions, double seconds) {
        long deadline = System.nanoTime() + (long) (seconds * 1e9);
        do {
            for (int recordBytes : new int[] {100, 1_024}) {
                byte[][] values = Payload.INCOMPRESSIBLE.values(recordBytes);
                try (JavaProducer producer = new JavaProducer(broker, topic, SHIPPED, values)) {
                    producer.flood(seconds / 6);
                }
            }
            try (JavaConsumer consumer = new JavaConsumer(broker, topic, partitions)) {
                consumer.readAll();
            }
        } while (System.nanoTime() < deadline);
    }

    /** Sends this many equal batches with the lean producer, as fast as it can. */
    static void lean(Broker broker, LeanProducer.Shape shape, MemoryRecords batch, long requests) {
        try {
            new LeanProducer(broker, shape, batch).run(600, requests / shape.connections());
        } catch (Exception e) {
            throw new IllegalStateException("the lean producer failed", e);
        }
    }
}
