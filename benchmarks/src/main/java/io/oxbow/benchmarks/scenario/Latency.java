// SPDX-License-Identifier: Apache-2.0
package io.oxbow.benchmarks.scenario;

import io.oxbow.benchmarks.client.JavaConsumer;
import io.oxbow.benchmarks.client.JavaProducer;
import io.oxbow.benchmarks.client.Latencies;
import io.oxbow.benchmarks.client.Payload;
import io.oxbow.benchmarks.frame.Aim;
import io.oxbow.benchmarks.frame.Effort;
import io.oxbow.benchmarks.frame.Figure;
import io.oxbow.benchmarks.frame.Scenario;
import io.oxbow.benchmarks.peer.Broker;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** How long single records take, on a broker that is nowhere near its limit. */
final class Latency {

    private static final String P50 = "p50 ms";
    private static final String P99 = "p99 ms";
    private static final String P999 = "p99.9 ms";
    private static final int PACE = 20_000;
    private static final int PACED_BYTES = 1_024;
    private static final int ROUND_TRIP_BYTES = 100;

    /** The highest percentile needs thousands of records. */
    private static final double LONGER = 2;

    private Latency() {}

    /** One record at a time, from before it is sent until a consumer that waits has it. */
    static Scenario endToEnd() {
        return new Warm(
                "latency",
                "100 B records one at a time, acks=all, linger.ms=0, to a consumer in a long poll",
                Effort.Scale.QUICK,
                List.of(
                        Figure.cost(P50, Aim.ratioAtMost(0.8)),
                        Figure.cost(P99, Aim.ratioAtMost(0.5)),
                        Figure.cost(P999, Aim.ratioAtMost(0.5))),
                new Warm.Procedure(1, Map.of(), Latency::roundTrips));
    }

    private static Map<String, Double> roundTrips(Broker broker, String topic, double seconds) {
        JavaProducer.Settings settings = new JavaProducer.Settings("all", 16_384, "none", 0);
        byte[][] values = Payload.INCOMPRESSIBLE.values(ROUND_TRIP_BYTES);
        Latencies latencies = new Latencies();
        try (JavaProducer producer = new JavaProducer(broker, topic, settings, values);
                JavaConsumer consumer = new JavaConsumer(broker, topic, 1)) {
            consumer.seekToEnd();
            for (int i = 0; i < 200; i++) {
                producer.one();
                consumer.next();
            }
            long deadline = System.nanoTime() + (long) (LONGER * seconds * 1e9);
            for (long now; (now = System.nanoTime()) < deadline; ) {
                producer.one();
                consumer.next();
                latencies.add(System.nanoTime() - now);
            }
        }
        return percentiles(latencies);
    }

    /** A steady 20 MB a second, a fraction of what the broker can take. */
    static Scenario paced() {
        return new Warm(
                "paced",
                "20,000 records a second of 1 KiB, acks=all, 12 partitions; from due to"
                        + " acknowledged",
                Effort.Scale.QUICK,
                List.of(
                        Figure.cost(P50),
                        Figure.cost(P99, Aim.ratioAtMost(0.5)),
                        Figure.cost(P999, Aim.ratioAtMost(0.5)),
                        Figure.cost(Meter.CPU_PER_GB, Aim.ratioAtMost(0.4))),
                new Warm.Procedure(12, Map.of(), Latency::paced));
    }

    private static Map<String, Double> paced(Broker broker, String topic, double seconds) {
        byte[][] values = Payload.INCOMPRESSIBLE.values(PACED_BYTES);
        Latencies latencies = new Latencies();
        try (JavaProducer producer = new JavaProducer(broker, topic, Loads.SHIPPED, values)) {
            producer.pace(PACE, 0.3, latencies);
            latencies.clear();
            Meter meter = Meter.start(broker);
            JavaProducer.Sent sent = producer.pace(PACE, LONGER * seconds, latencies);
            double cpu = meter.cpuSeconds();
            Map<String, Double> figures = percentiles(latencies);
            figures.put(Meter.CPU_PER_GB, cpu / (sent.records() * (double) PACED_BYTES / 1e9));
            return figures;
        }
    }

    private static Map<String, Double> percentiles(Latencies latencies) {
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put(P50, latencies.percentileMs(0.5));
        figures.put(P99, latencies.percentileMs(0.99));
        figures.put(P999, latencies.percentileMs(0.999));
        return figures;
    }
}
