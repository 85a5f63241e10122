// SPDX-License-Identifier: Apache-2.0
package io.oxbow.benchmarks.scenario;

import io.oxbow.benchmarks.client.JavaConsumer;
import io.oxbow.benchmarks.client.LeanFetcher;
import io.oxbow.benchmarks.client.LeanProducer;
import io.oxbow.benchmarks.client.Payload;
import io.oxbow.benchmarks.frame.Aim;
import io.oxbow.benchmarks.frame.Figure;
import io.oxbow.benchmarks.frame.Lab;
import io.oxbow.benchmarks.frame.Scenario;
import io.oxbow.benchmarks.peer.Broker;
import io.oxbow.benchmarks.peer.Peer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** All of a topic that lies in the page cache, read once by a new consumer, and by a lean one. */
record ConsumeHot(String name, int partitions) implements Scenario {

    private static final String JAVA_CPU = "Java: " + Meter.CPU_PER_GB;
    private static final String JAVA_RATE = "Java: " + Meter.MB_PER_S;
    private static final String LEAN_CPU = "lean: " + Meter.CPU_PER_GB;
    private static final String LEAN_RATE = "lean: " + Meter.MB_PER_S;
    private static final int RECORD_BYTES = 1_024;
    private static final int BATCH_BYTES = 16_384;

    @Override
    public String text() {
        return ("Java consumer, then lean fetcher: once over 1 KiB records in 16 KiB batches in %d"
                        + " partition(s), from the page cache")
                .formatted(partitions);
    }

    @Override
    public List<Figure> figures() {
        return List.of(
                Figure.cost(JAVA_CPU, Aim.ratioAtMost(0.6)),
                Figure.rate(JAVA_RATE),
                Figure.cost(LEAN_CPU, Aim.ratioAtMost(0.6)),
                Figure.rate(LEAN_RATE));
    }

    @Override
    public boolean isWarm() {
        return true;
    }

    @Override
    public Session open(Lab lab) {
        Trials trials = new Trials(lab);
        for (Peer peer : Peer.values()) {
            trials.fill(lab.warm(peer));
            trials.trial(peer);
        }
        return trials;
    }

    private final class Trials implements Session {
        private final Lab lab;
        private final String topic = Topics.nextName(name);

        Trials(Lab lab) {
            this.lab = lab;
        }

        /** About 600 MB for a second of the trial, which is what the Java consumer reads. */
        void fill(Broker broker) {
            Topics.create(broker, topic, partitions, Map.of());
            LeanProducer.Shape shape = new LeanProducer.Shape(topic, partitions, (short) 1, 2, 5);
            long requests = (long) (lab.effort().seconds() * 600e6 / BATCH_BYTES);
            Loads.lean(
                    broker,
                    shape,
                    Payload.INCOMPRESSIBLE.batch(RECORD_BYTES, BATCH_BYTES),
                    requests);
        }

        @Override
        public Map<String, Double> trial(Peer peer) {
            Broker broker = lab.warm(peer);
            Map<String, Double> figures = new LinkedHashMap<>();
            measure(broker, this::readJava, JAVA_CPU, JAVA_RATE, figures);
            measure(broker, this::readLean, LEAN_CPU, LEAN_RATE, figures);
            return figures;
        }

        private void measure(
                Broker broker,
                ToDoubleFunction<Broker> reader,
                String cpu,
                String rate,
                Map<String, Double> figures) {
            Meter meter = Meter.start(broker);
            double gigabytes = reader.applyAsDouble(broker) / 1e9;
            figures.put(rate, gigabytes * 1_000 / meter.seconds());
            figures.put(cpu, meter.cpuSeconds() / gigabytes);
        }

        private double readJava(Broker broker) {
            try (JavaConsumer consumer = new JavaConsumer(broker, topic, partitions)) {
                return consumer.readAll() * (double) RECORD_BYTES;
            }
        }

        private double readLean(Broker broker) {
            try (LeanFetcher fetcher = new LeanFetcher(broker, topic, partitions)) {
                return fetcher.readToEnd();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void close() {
            for (Peer peer : Peer.values()) {
                Topics.delete(lab.warm(peer), topic);
            }
        }
    }
}
