// SPDX-License-Identifier: Apache-2.0
package io.oxbow.benchmarks.scenario;

import io.oxbow.benchmarks.client.JavaConsumer;
import io.oxbow.benchmarks.client.JavaProducer;
import io.oxbow.benchmarks.client.Latencies;
import io.oxbow.benchmarks.client.LeanFetcher;
import io.oxbow.benchmarks.client.LeanProducer;
import io.oxbow.benchmarks.client.Payload;
import io.oxbow.benchmarks.client.Threads;
import io.oxbow.benchmarks.frame.Aim;
import io.oxbow.benchmarks.frame.Effort;
import io.oxbow.benchmarks.frame.Figure;
import io.oxbow.benchmarks.frame.Scenario;
import io.oxbow.benchmarks.peer.Broker;
import io.oxbow.testkit.process.ToolRun;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What a consumer that reads old data from the disk costs a producer of new data and a consumer at
 * its tail. Needs root, to drop the page cache.
 */
final class ColdRead {

    private static final String ALONE = "p99 ms, alone";
    private static final String BESIDE = "p99 ms, beside the cold read";
    private static final String GROWTH = "p99 beside / alone";
    private static final String RATE = "cold read, MB/s";
    private static final int PARTITIONS = 12;
    private static final int BATCH_BYTES = 65_536;
    private static final int PACE = 10_000;
    private static final double SECONDS = 15;

    private ColdRead() {}

    static Scenario scenario(String name, double gigabytes, Effort.Scale from) {
        return new Cold(
                name,
                ("%.0f GB read from the disk beside 10,000 records/s of 1 KiB and a consumer at the"
                                + " tail")
                        .formatted(gigabytes),
                from,
                List.of(
                        Figure.cost(ALONE),
                        Figure.cost(BESIDE),
                        Figure.cost(GROWTH, Aim.atMost(1.2)),
                        Figure.rate(RATE)),
                (broker, effort) -> measure(broker, gigabytes));
    }

    private static Map<String, Double> measure(Broker broker, double gigabytes) throws Exception {
        broker.launch();
        Topics.create(broker, "old", PARTITIONS, Map.of());
        Topics.create(broker, "new", PARTITIONS, Map.of());
        Loads.lean(
                broker,
                new LeanProducer.Shape("old", PARTITIONS, (short) 1, 2, 5),
                Payload.INCOMPRESSIBLE.batch(1_024, BATCH_BYTES),
                (long) (gigabytes * 1e9 / BATCH_BYTES));
        Loads.mixed(broker, "new", PARTITIONS, 5);
        dropPageCache();
        double alone = hotP99(broker);
        AtomicBoolean isOver = new AtomicBoolean();
        Callable<Double> cold = () -> readOld(broker, isOver);
        Callable<Double> hot =
                () -> {
                    try {
                        return hotP99(broker);
                    } finally {
                        isOver.set(true);
                    }
                };
        List<Double> both = Threads.all(List.of(cold, hot));
        double beside = both.get(1);
        return Map.of(ALONE, alone, BESIDE, beside, GROWTH, beside / alone, RATE, both.getFirst());
    }

    private static void dropPageCache() {
        ToolRun.run("", List.of("sh", "-c", "sync && echo 1 > /proc/sys/vm/drop_caches")).ok();
    }

    /** Reads on until the hot side is done; MB a second. */
    private static double readOld(Broker broker, AtomicBoolean isOver) throws Exception {
        long started = System.nanoTime();
        try (LeanFetcher fetcher = new LeanFetcher(broker, "old", PARTITIONS)) {
            double bytes = 0;
            for (long step = 1; step > 0 && !isOver.get(); bytes += step) {
                step = fetcher.fetch();
            }
            return bytes * 1e3 / (System.nanoTime() - started);
        }
    }

    private static double hotP99(Broker broker) throws Exception {
        AtomicBoolean isOver = new AtomicBoolean();
        Latencies latencies = new Latencies();
        Callable<Void> produce =
                () -> {
                    try (JavaProducer producer =
                            new JavaProducer(
                                    broker,
                                    "new",
                                    Loads.SHIPPED,
                                    Payload.INCOMPRESSIBLE.values(1_024))) {
                        producer.pace(PACE, SECONDS, latencies);
                    } finally {
                        isOver.set(true);
                    }
                    return null;
                };
        Callable<Void> consume =
                () -> {
                    try (JavaConsumer consumer = new JavaConsumer(broker, "new", PARTITIONS)) {
                        consumer.seekToEnd();
                        while (!isOver.get()) {
                            consumer.poll();
                        }
                    }
                    return null;
                };
        Threads.all(List.of(produce, consume));
        return latencies.percentileMs(0.99);
    }
}
