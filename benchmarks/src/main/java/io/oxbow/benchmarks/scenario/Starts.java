// SPDX-License-Identifier: Apache-2.0
package io.oxbow.benchmarks.scenario;

import io.oxbow.benchmarks.client.Control;
import io.oxbow.benchmarks.client.LeanProducer;
import io.oxbow.benchmarks.client.Payload;
import io.oxbow.benchmarks.frame.Aim;
import io.oxbow.benchmarks.frame.Effort;
import io.oxbow.benchmarks.frame.Figure;
import io.oxbow.benchmarks.frame.Scenario;
import io.oxbow.benchmarks.peer.Broker;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Starting a process: the first time, after a kill, with many partitions, after a crash. */
final class Starts {

    private static final String TOPIC = "starts";
    private static final String FIRST_RECORD = "first record, s";
    private static final String PORT = "port open, s";
    private static final String LEADERS = "create: leaders known, s";
    private static final String WRITTEN = "create: each takes a record, s";
    private static final String RESTART = "restart: all serve, s";
    private static final String RECOVERED = "recovered: all serve, s";
    private static final String CPU = "broker CPU, s";
    private static final int BATCH_BYTES = 16_384;

    private Starts() {}

    /** From the start of the process in a fresh directory to a record written and read back. */
    static Scenario first() {
        return new Cold(
                "start",
                "Process start in a formatted, empty directory to the first record read back",
                Effort.Scale.QUICK,
                List.of(
                        Figure.cost(FIRST_RECORD, Aim.ratioAtMost(0.25)),
                        Figure.cost(PORT),
                        Figure.cost(CPU)),
                Starts::firstRecord);
    }

    private static Map<String, Double> firstRecord(Broker broker, Effort effort) {
        broker.launch();
        Serving.port(broker);
        double port = broker.secondsSinceLaunch();
        Serving.firstRecord(broker, TOPIC);
        return Map.of(
                PORT,
                port,
                FIRST_RECORD,
                broker.secondsSinceLaunch(),
                CPU,
                broker.stat().cpuSeconds());
    }

    /** Kill -9 after a little load, started again at once. */
    static Scenario afterKill() {
        return new Cold(
                "kill",
                "kill -9 after 20 MB in 12 partitions, started again at once, to the first record",
                Effort.Scale.QUICK,
                List.of(Figure.cost(FIRST_RECORD, Aim.ratioAtMost(0.1)), Figure.cost(PORT)),
                Starts::killed);
    }

    private static Map<String, Double> killed(Broker broker, Effort effort) {
        broker.launch();
        Topics.create(broker, TOPIC, 12, Map.of());
        fill(broker, 12, 20_000_000);
        broker.kill();
        broker.launch();
        Serving.port(broker);
        double port = broker.secondsSinceLaunch();
        Serving.recordThrough(broker, TOPIC);
        return Map.of(PORT, port, FIRST_RECORD, broker.secondsSinceLaunch());
    }

    /** One topic of many partitions: made in one request, written to, and served again. */
    static Scenario partitions(int count, Effort.Scale from) {
        boolean isAimed = count >= 5_000;
        return new Cold(
                "partitions-" + count,
                count + " partitions created in one request, then a clean restart",
                from,
                List.of(
                        isAimed ? Figure.cost(LEADERS, Aim.ratioAtMost(0.5)) : Figure.cost(LEADERS),
                        isAimed ? Figure.cost(WRITTEN, Aim.ratioAtMost(0.1)) : Figure.cost(WRITTEN),
                        Figure.cost(RESTART, Aim.ratioAtMost(0.25))),
                (broker, effort) -> manyPartitions(broker, count));
    }

    private static Map<String, Double> manyPartitions(Broker broker, int count) {
        broker.launch();
        Serving.firstRecord(broker, "probe");
        long created = System.nanoTime();
        try (Control control = new Control(broker)) {
            if (!Topics.isMade(control.create(TOPIC, count, Map.of()))) {
                throw new IllegalStateException("the topic was refused");
            }
        }
        Serving.leaders(broker, TOPIC, count);
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put(LEADERS, (System.nanoTime() - created) / 1e9);
        Serving.written(broker, TOPIC, count);
        figures.put(WRITTEN, (System.nanoTime() - created) / 1e9);
        broker.stop();
        broker.launch();
        Serving.all(broker, TOPIC, count);
        figures.put(RESTART, broker.secondsSinceLaunch());
        return figures;
    }

    /** Kill -9 with much that was never synced. */
    static Scenario recovery(String name, double gigabytes, int partitions, Effort.Scale from) {
        return new Cold(
                name,
                "kill -9 right after %.0f GB in %d partitions, started again, to all serving"
                        .formatted(gigabytes, partitions),
                from,
                List.of(Figure.cost(RECOVERED, Aim.ratioAtMost(0.2)), Figure.cost(CPU)),
                (broker, effort) -> recovered(broker, gigabytes, partitions));
    }

    private static Map<String, Double> recovered(Broker broker, double gigabytes, int partitions) {
        broker.launch();
        Topics.create(broker, TOPIC, partitions, Map.of());
        fill(broker, partitions, gigabytes * 1e9);
        broker.kill();
        broker.launch();
        Serving.all(broker, TOPIC, partitions);
        return Map.of(RECOVERED, broker.secondsSinceLaunch(), CPU, broker.stat().cpuSeconds());
    }

    private static void fill(Broker broker, int partitions, double bytes) {
        Loads.lean(
                broker,
                new LeanProducer.Shape(TOPIC, partitions, (short) -1, 2, 5),
                Payload.INCOMPRESSIBLE.batch(1_024, BATCH_BYTES),
                (long) (bytes / BATCH_BYTES));
    }
}
