// SPDX-License-Identifier: Apache-2.0
package io.oxbow.testkit.load;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Producers with {@code acks=all} and idempotence that write numbered records until stopped, and
 * remember which were acknowledged at which offset. Every record's value begins with "producer
 * number", which is unique, and may be padded.
 *
 * <p>One thread for each producer; the acknowledged records are collected by the producers' own
 * threads.
 */
public final class AckedLoad implements AutoCloseable {

    /** Where a record was acknowledged. */
    public record Place(TopicPartition partition, long offset) {}

    /** The header with the moment of a timed record, by {@link System#nanoTime}. */
    static final String SENT = "sent";

    private final String bootstrap;
    private final List<TopicPartition> targets;
    private final Map<String, Place> acked = new ConcurrentHashMap<>();
    private final AtomicReference<Exception> failure = new AtomicReference<>();
    private final List<Thread> threads = new ArrayList<>();
    private long pauseNanos;
    private byte[] padding = {};
    private boolean forgetful;
    // Null unless timed.
    private Latencies latencies;
    // Written by stop(), read by the producers' threads: all that they need to know.
    private volatile boolean stopping;

    /**
     * @param targets where the records go, in turn
     */
    public AckedLoad(String bootstrap, List<TopicPartition> targets) {
        this.bootstrap = bootstrap;
        this.targets = List.copyOf(targets);
    }

    /** Holds each producer to about so many records a second; call before the start. */
    public AckedLoad atMost(int recordsPerSecond) {
        pauseNanos = 1_000_000_000L / recordsPerSecond;
        return this;
    }

    /** Makes each value longer by so many bytes; call before the start. */
    public AckedLoad padded(int bytes) {
        padding = new byte[bytes];
        Arrays.fill(padding, (byte) ' ');
        return this;
    }

    /** Remembers no records, for loads that go on for long; call before the start. */
    public AckedLoad forgetful() {
        forgetful = true;
        return this;
    }

    /** Notes how long each record takes, see {@link #latencies}; call before the start. */
    public AckedLoad timed() {
        latencies = new Latencies();
        return this;
    }

    /** Starts producers. */
    public AckedLoad start(int producers) {
        for (int i = 0; i < producers; i++) {
            String name = "p" + i;
            threads.add(Thread.ofPlatform().name("load-" + name).start(() -> produce(name)));
        }
        return this;
    }

    private void produce(String name) {
        KafkaProducer<byte[], byte[]> producer = producer(name);
        try {
            for (long n = 0; !stopping && failure.get() == null; n++) {
                TopicPartition target = targets.get((int) (n % targets.size()));
                send(producer, target, name + " " + n);
                if (pauseNanos > 0) {
                    LockSupport.parkNanos(pauseNanos);
                }
            }
            producer.flush();
        } catch (RuntimeException e) {
            failure.compareAndSet(null, e);
        } finally {
            // An interrupt has done its work when this thread gets here.
            Thread.interrupted();
            producer.close(Duration.ZERO);
        }
    }

    private void send(KafkaProducer<byte[], byte[]> producer, TopicPartition to, String value) {
        byte[] key = value.getBytes(StandardCharsets.UTF_8);
        byte[] bytes = Arrays.copyOf(key, key.length + padding.length);
        System.arraycopy(padding, 0, bytes, key.length, padding.length);
        ProducerRecord<byte[], byte[]> message =
                new ProducerRecord<>(to.topic(), to.partition(), key, bytes);
        long sent = System.nanoTime();
        if (latencies != null) {
            message.headers().add(SENT, ByteBuffer.allocate(Long.BYTES).putLong(sent).array());
        }
        var _ =
                producer.send(
                        message,
                        (metadata, error) -> {
                            if (error != null) {
                                failure.compareAndSet(null, error);
                                return;
                            }
                            if (!forgetful) {
                                acked.put(value, new Place(to, metadata.offset()));
                            }
                            if (latencies != null) {
                                latencies.add(sent, System.nanoTime());
                            }
                        });
    }

    private KafkaProducer<byte[], byte[]> producer(String name) {
        Map<String, Object> config = new HashMap<>();
        config.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap);
        config.put(ProducerConfig.CLIENT_ID_CONFIG, name);
        config.put(ProducerConfig.ACKS_CONFIG, "all");
        config.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        config.put(ProducerConfig.LINGER_MS_CONFIG, 1);
        config.put(ProducerConfig.BATCH_SIZE_CONFIG, 4_096);
        config.put(ProducerConfig.BUFFER_MEMORY_CONFIG, 512 * 1024L);
        config.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 10_000);
        config.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 180_000);
        config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 180_000L);
        config.put(ProducerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 200L);
        return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /** How many records are acknowledged by now. */
    public int ackedCount() {
        return acked.size();
    }

    /** How many records are acknowledged in one partition. */
    public long ackedCount(TopicPartition partition) {
        return acked.values().stream().filter(place -> place.partition.equals(partition)).count();
    }

    /** From send to acknowledgement of each record, if {@link #timed}. */
    public Latencies latencies() {
        return latencies;
    }

    /** The first failed send, or null. */
    public Exception failure() {
        return failure.get();
    }

    /** Every acknowledged record by its value. */
    public Map<String, Place> acked() {
        return Map.copyOf(acked);
    }

    /** Ends the producers after what they have sent is answered. */
    public void stop() {
        stopping = true;
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        }
    }

    /** Ends the producers at once, whatever they wait for. */
    @Override
    public void close() {
        failure.compareAndSet(null, new IllegalStateException("closed"));
        threads.forEach(Thread::interrupt);
        stop();
    }
}
