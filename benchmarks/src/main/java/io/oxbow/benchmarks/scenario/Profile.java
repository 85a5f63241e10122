// SPDX-License-Identifier: Apache-2.0
package io.oxbow.benchmarks.scenario;

import io.oxbow.benchmarks.client.LeanFetcher;
import io.oxbow.benchmarks.client.LeanProducer;
import io.oxbow.benchmarks.client.Payload;
import io.oxbow.benchmarks.frame.Effort;
import io.oxbow.benchmarks.frame.Figure;
import io.oxbow.benchmarks.peer.Broker;
import io.oxbow.benchmarks.peer.SystemCalls;
import io.oxbow.benchmarks.peer.ThreadUsage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.record.internal.MemoryRecords;

/**
 * Where the cost of one request lies: CPU by kind of thread, bytes allocated, how often a thread
 * went to sleep, system calls. Three loads: produce requests of 16 KiB with five in flight, of 100
 * bytes one at a time, and fetches of 1 MiB from the page cache; one connection, one partition.
 */
final class Profile {

    private static final String PIPELINED = "produce 16 KiB, 5 in flight: ";
    private static final String ALONE = "produce 100 B, 1 in flight: ";
    private static final String FETCH = "fetch 1 MiB: ";

    private static final String NETWORK = "CPU us, network threads";
    private static final String WORKER = "CPU us, lanes / request handlers";
    private static final String OTHER = "CPU us, other (compiler, collector, ...)";
    private static final String ALLOCATED = "bytes allocated";
    private static final String SLEEPS = "times a thread slept";
    private static final String CALLS = "system calls: ";

    private Profile() {}

    private static boolean isNetwork(String thread) {
        return thread.startsWith("oxbow-net") || thread.contains("network-thread");
    }

    private static boolean isWorker(String thread) {
        return thread.startsWith("oxbow-lane") || thread.contains("kafka-request-handler");
    }

    static Warm scenario() {
        return new Warm(
                "profile",
                "Per request, lean clients: what it costs and where",
                Effort.Scale.FULL,
                figures(),
                new Warm.Procedure(1, Map.of(), Profile::measure));
    }

    private static List<Figure> figures() {
        List<Figure> figures = new ArrayList<>();
        for (String load : List.of(PIPELINED, ALONE, FETCH)) {
            for (String what : List.of(NETWORK, WORKER, OTHER, ALLOCATED, SLEEPS)) {
                figures.add(Figure.cost(load + what));
            }
            figures.add(Figure.cost(load + CALLS + SystemCalls.ALL));
            for (String name : SystemCalls.NAMES) figures.add(Figure.cost(load + CALLS + name));
        }
        return figures;
    }

    /** A load; gives the number of its requests. */
    private interface Load {
        long run(double seconds) throws Exception;
    }

    private static Map<String, Double> measure(Broker broker, String topic, double seconds)
            throws Exception {
        Map<String, Double> figures = new LinkedHashMap<>();
        try (ThreadUsage threads = ThreadUsage.of(broker.stat())) {
            Meters meters = new Meters(broker, threads);
            Load pipelined = producer(broker, topic, 16_384, 5);
            meters.measure(PIPELINED, pipelined, seconds / 3, figures);
            Load alone = producer(broker, topic, 100, 1);
            meters.measure(ALONE, alone, seconds / 3, figures);
            meters.measure(FETCH, fetcher(broker, topic), seconds / 3, figures);
        }
        return figures;
    }

    private static Load producer(Broker broker, String topic, int batchBytes, int inFlight) {
        MemoryRecords batch = Payload.INCOMPRESSIBLE.batch(Math.min(1_024, batchBytes), batchBytes);
        LeanProducer.Shape shape = new LeanProducer.Shape(topic, 1, (short) -1, 1, inFlight);
        LeanProducer producer = new LeanProducer(broker, shape, batch);
        return seconds -> producer.run(seconds).requests();
    }

    /** Reads the topic from its start, again and again. */
    private static Load fetcher(Broker broker, String topic) {
        return seconds -> {
            long deadline = System.nanoTime() + (long) (seconds * 1e9);
            long requests = 0;
            while (System.nanoTime() < deadline) {
                try (LeanFetcher fetcher = new LeanFetcher(broker, topic, 1)) {
                    while (fetcher.fetch() > 0 && System.nanoTime() < deadline) requests++;
                }
            }
            return requests;
        };
    }

    /** All that is read before and after a load. */
    private record Meters(Broker broker, ThreadUsage threads) {

        void measure(String name, Load load, double seconds, Map<String, Double> figures)
                throws Exception {
            load.run(0.2);
            SystemCalls counting = SystemCalls.count(broker.stat());
            ThreadUsage.Totals before = threads.read();
            double sleepsBefore = broker.stat().sleeps();
            Meter meter = Meter.start(broker);
            double requests = load.run(seconds);
            double cpu = meter.cpuSeconds();
            double sleeps = broker.stat().sleeps() - sleepsBefore;
            ThreadUsage.Totals after = threads.read();
            Map<String, Double> calls = counting.end();

            double network = after.cpuSecondsSince(before, Profile::isNetwork);
            double worker = after.cpuSecondsSince(before, Profile::isWorker);
            figures.put(name + NETWORK, network * 1e6 / requests);
            figures.put(name + WORKER, worker * 1e6 / requests);
            figures.put(name + OTHER, Math.max(0, cpu - network - worker) * 1e6 / requests);
            double allocated = after.allocatedBytes() - before.allocatedBytes();
            figures.put(name + ALLOCATED, allocated / requests);
            figures.put(name + SLEEPS, sleeps / requests);
            calls.forEach((call, count) -> figures.put(name + CALLS + call, count / requests));
        }
    }
}
