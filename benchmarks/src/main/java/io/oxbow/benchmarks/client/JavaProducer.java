// SPDX-License-Identifier: Apache-2.0
package io.oxbow.benchmarks.client;

import io.oxbow.benchmarks.peer.Broker;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Kafka's Java producer in this process, warmed up by what came before. Used by one thread; the
 * callbacks run on the producer's own.
 */
public final class JavaProducer implements AutoCloseable {

    private static final long TICK_NANOS = 1_000_000;

    /**
     * How the client is set; everything else is as it ships.
     *
     * @param acks all or 1; only all is idempotent, as the client demands
     */
    public record Settings(String acks, int batchBytes, String compression, int lingerMs) {
        /** With the linger.ms that the client ships with. */
        public Settings(String acks, int batchBytes, String compression) {
            this(acks, batchBytes, compression, 5);
        }
    }

    private final KafkaProducer<byte[], byte[]> producer;
    private final String topic;
    private final byte[][] values;
    private final AtomicReference<Exception> failure = new AtomicReference<>();

    public JavaProducer(Broker broker, String topic, Settings settings, byte[][] values) {
        Map<String, Object> config = new HashMap<>();
        config.put("bootstrap.servers", broker.bootstrap());
        config.put("acks", settings.acks);
        config.put("enable.idempotence", settings.acks.equals("all"));
        config.put("batch.size", settings.batchBytes);
        config.put("compression.type", settings.compression);
        config.put("linger.ms", settings.lingerMs);
        this.producer =
                new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
        this.topic = topic;
        this.values = values;
        producer.partitionsFor(topic);
    }

    /** What was sent and acknowledged, from the first record to the last acknowledgement. */
    public record Sent(long records, double seconds) {}

    /** Sends one record and does not wait for it. */
    public void one() {
        var _ = producer.send(new ProducerRecord<>(topic, values[0]), (metadata, e) -> fail(e));
    }

    /** Sends as fast as it can for a time, then waits for the last acknowledgement. */
    public Sent flood(double seconds) {
        long started = System.nanoTime();
        long deadline = started + (long) (seconds * 1e9);
        Callback callback = (metadata, e) -> fail(e);
        long records = 0;
        do {
            for (int i = 0; i < 32; i++) {
                var _ = producer.send(new ProducerRecord<>(topic, value(records++)), callback);
            }
        } while (System.nanoTime() < deadline);
        return sent(records, started);
    }

    /**
     * Sends at a rate for a time. A record's latency counts from the tick of a millisecond at which
     * it was due, so that a stall is felt by all that should have been sent meanwhile.
     */
    public Sent pace(int recordsPerSecond, double seconds, Latencies latencies) {
        long started = System.nanoTime();
        long total = (long) (recordsPerSecond * seconds);
        for (long records = 0; records < total; ) {
            long tick = (System.nanoTime() - started) / TICK_NANOS;
            long due = Math.min(total, (tick + 1) * recordsPerSecond / 1_000);
            while (records < due) {
                long dueNanos = started + records * 1_000 / recordsPerSecond * TICK_NANOS;
                var _ =
                        producer.send(
                                new ProducerRecord<>(topic, value(records++)),
                                (metadata, e) -> {
                                    fail(e);
                                    latencies.add(System.nanoTime() - dueNanos);
                                });
            }
            LockSupport.parkNanos(started + (tick + 1) * TICK_NANOS - System.nanoTime());
        }
        return sent(total, started);
    }

    private byte[] value(long record) {
        return values[(int) (record % values.length)];
    }

    private void fail(Exception e) {
        if (e != null) {
            failure.compareAndSet(null, e);
        }
    }

    private Sent sent(long records, long started) {
        producer.flush();
        if (failure.get() != null) {
            throw new IllegalStateException("a record was refused", failure.get());
        }
        return new Sent(records, (System.nanoTime() - started) / 1e9);
    }

    @Override
    public void close() {
        producer.close();
    }
}
