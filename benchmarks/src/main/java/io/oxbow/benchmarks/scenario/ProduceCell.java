// SPDX-License-Identifier: Apache-2.0
package io.oxbow.benchmarks.scenario;

import io.oxbow.benchmarks.client.JavaProducer;
import io.oxbow.benchmarks.client.Payload;
import io.oxbow.benchmarks.frame.Aim;
import io.oxbow.benchmarks.frame.Effort;
import io.oxbow.benchmarks.frame.Figure;
import io.oxbow.benchmarks.frame.Lab;
import io.oxbow.benchmarks.frame.Scenario;
import io.oxbow.benchmarks.peer.Broker;
import io.oxbow.benchmarks.peer.Peer;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Kafka's Java producer, as fast as it can, with one setting of everything. */
record ProduceCell(String name, Load load, Optional<Aim> aim, Effort.Scale from)
        implements Scenario {

    /**
     * What is sent and how.
     *
     * @param recordBytes of each value; there are no keys
     */
    record Load(int recordBytes, int partitions, JavaProducer.Settings settings, Payload payload) {}

    @Override
    public String text() {
        return ("Java producer flat out: %d B records of %s, %d partition(s), acks=%s,"
                        + " batch.size=%d, compression.type=%s")
                .formatted(
                        load.recordBytes,
                        load.payload == Payload.TEXT ? "text" : "random bytes",
                        load.partitions,
                        load.settings.acks(),
                        load.settings.batchBytes(),
                        load.settings.compression());
    }

    @Override
    public List<Figure> figures() {
        return List.of(new Figure(Meter.CPU_PER_GB, false, aim), Figure.rate(Meter.MB_PER_S));
    }

    @Override
    public boolean isWarm() {
        return true;
    }

    @Override
    public Session open(Lab lab) {
        Trials trials = new Trials(lab, load.payload.values(load.recordBytes));
        for (Peer peer : Peer.values()) {
            trials.measure(peer, lab.effort().seconds() / 2);
        }
        return trials;
    }

    private final class Trials implements Session {
        private final Lab lab;
        private final byte[][] values;
        private final Topics topics = new Topics();

        Trials(Lab lab, byte[][] values) {
            this.lab = lab;
            this.values = values;
        }

        @Override
        public Map<String, Double> trial(Peer peer) {
            return measure(peer, lab.effort().seconds());
        }

        Map<String, Double> measure(Peer peer, double seconds) {
            Broker broker = lab.warm(peer);
            String topic = topics.forTrial(broker, name, load.partitions);
            try (JavaProducer producer = new JavaProducer(broker, topic, load.settings, values)) {
                producer.flood(0.1);
                Meter meter = Meter.start(broker);
                JavaProducer.Sent sent = producer.flood(seconds);
                double cpu = meter.cpuSeconds();
                double gigabytes = sent.records() * (double) load.recordBytes / 1e9;
                return Map.of(
                        Meter.CPU_PER_GB,
                        cpu / gigabytes,
                        Meter.MB_PER_S,
                        gigabytes * 1_000 / sent.seconds());
            } finally {
                topics.afterTrial(broker, topic, load.partitions);
            }
        }

        @Override
        public void close() {
            topics.close();
        }
    }
}
