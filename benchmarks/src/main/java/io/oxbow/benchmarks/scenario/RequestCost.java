// SPDX-License-Identifier: Apache-2.0
package io.oxbow.benchmarks.scenario;

import io.oxbow.benchmarks.client.LeanProducer;
import io.oxbow.benchmarks.client.Payload;
import io.oxbow.benchmarks.frame.Aim;
import io.oxbow.benchmarks.frame.Effort;
import io.oxbow.benchmarks.frame.Figure;
import io.oxbow.benchmarks.frame.Scenario;
import io.oxbow.benchmarks.peer.Broker;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.record.internal.MemoryRecords;

/**
 * What a produce request costs the broker, by a client that costs almost nothing: one connection,
 * one partition, five requests in flight. Two sizes of request give a line; where it meets zero
 * bytes is the cost of the request itself.
 */
final class RequestCost {

    private static final String FIXED = "CPU us/request beside bytes";
    private static final String SMALL = "16 KiB: broker CPU s/GB";
    private static final String LARGE = "128 KiB: broker CPU s/GB";
    private static final String SMALL_RATE = "16 KiB: MB/s";
    private static final String LARGE_RATE = "128 KiB: MB/s";

    private RequestCost() {}

    static Scenario scenario() {
        return new Warm(
                "request-cost",
                "Lean producer flat out, 1 partition, 5 in flight, requests of 16 and of 128 KiB",
                Effort.Scale.QUICK,
                List.of(
                        Figure.cost(FIXED, Aim.atMost(12)),
                        Figure.cost(SMALL, Aim.ratioAtMost(0.4)),
                        Figure.rate(SMALL_RATE, Aim.ratioAtLeast(1.3)),
                        Figure.cost(LARGE, Aim.ratioAtMost(0.65)),
                        Figure.rate(LARGE_RATE, Aim.ratioAtLeast(1.3))),
                new Warm.Procedure(1, Map.of(), RequestCost::measure));
    }

    private static Map<String, Double> measure(Broker broker, String topic, double seconds)
            throws Exception {
        Cost small = cost(broker, topic, 16_384, seconds / 2);
        Cost large = cost(broker, topic, 131_072, seconds / 2);
        return Map.of(
                FIXED, small.atZeroBytes(large),
                SMALL, small.perGigabyte(),
                SMALL_RATE, small.megabytesPerSecond,
                LARGE, large.perGigabyte(),
                LARGE_RATE, large.megabytesPerSecond);
    }

    private static Cost cost(Broker broker, String topic, int batchBytes, double seconds)
            throws Exception {
        MemoryRecords batch = Payload.INCOMPRESSIBLE.batch(1_024, batchBytes);
        LeanProducer.Shape shape = new LeanProducer.Shape(topic, 1, (short) -1, 1, 5);
        LeanProducer producer = new LeanProducer(broker, shape, batch);
        producer.run(0.1);
        Meter meter = Meter.start(broker);
        LeanProducer.Outcome outcome = producer.run(seconds);
        double microseconds = meter.cpuSeconds() * 1e6 / outcome.requests();
        double bytes = batch.sizeInBytes();
        return new Cost(bytes, microseconds, outcome.requests() * bytes / 1e6 / outcome.seconds());
    }

    /** What requests of one size cost. */
    record Cost(double bytes, double microsecondsPerRequest, double megabytesPerSecond) {

        double perGigabyte() {
            return microsecondsPerRequest / bytes * 1e3;
        }

        /** Where the line through this and another size meets zero bytes. */
        double atZeroBytes(Cost other) {
            double perByte =
                    (other.microsecondsPerRequest - microsecondsPerRequest) / (other.bytes - bytes);
            return microsecondsPerRequest - perByte * bytes;
        }
    }
}
