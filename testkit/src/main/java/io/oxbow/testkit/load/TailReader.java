// SPDX-License-Identifier: Apache-2.0
package io.oxbow.testkit.load;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * A consumer at the end of partitions that a timed {@link AckedLoad} of this process writes to:
 * notes for each record how long it took from send to arrival. One thread of its own.
 */
public final class TailReader implements AutoCloseable {

    private final Latencies latencies = new Latencies();
    private final AtomicReference<Exception> failure = new AtomicReference<>();
    private final Thread thread;
    // Written by close(), read by the reader's thread: all that it needs to know.
    private volatile boolean stopping;

    /** Starts reading from the end. */
    public TailReader(String bootstrap, List<TopicPartition> partitions) {
        Map<String, Object> config =
                Map.of(
                        ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                        bootstrap,
                        ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                        "latest",
                        ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                        false);
        thread = Thread.ofPlatform().name("tail-reader").start(() -> read(config, partitions));
    }

    private void read(Map<String, Object> config, List<TopicPartition> partitions) {
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(
                        config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.assign(partitions);
            while (!stopping) {
                consumer.poll(Duration.ofMillis(100)).forEach(this::see);
            }
        } catch (RuntimeException e) {
            failure.compareAndSet(null, e);
        }
    }

    private void see(ConsumerRecord<byte[], byte[]> arrived) {
        Header sent = arrived.headers().lastHeader(AckedLoad.SENT);
        if (sent != null) {
            latencies.add(ByteBuffer.wrap(sent.value()).getLong(), System.nanoTime());
        }
    }

    /** Send-to-arrival times. */
    public Latencies latencies() {
        return latencies;
    }

    /** Why it ended early, or null. */
    public Exception failure() {
        return failure.get();
    }

    @Override
    public void close() {
        stopping = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
