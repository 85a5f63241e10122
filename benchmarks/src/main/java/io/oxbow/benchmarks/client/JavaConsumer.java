// SPDX-License-Identifier: Apache-2.0
package io.oxbow.benchmarks.client;

import io.oxbow.benchmarks.peer.Broker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Kafka's Java consumer in this process, on all partitions of a topic. Used by one thread. */
public final class JavaConsumer implements AutoCloseable {

    private static final Duration POLL = Duration.ofMillis(500);
    private static final Duration LIMIT = Duration.ofSeconds(15);

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final List<TopicPartition> partitions;

    public JavaConsumer(Broker broker, String topic, int partitionCount) {
        consumer =
                new KafkaConsumer<>(
                        Map.of("bootstrap.servers", broker.bootstrap()),
                        new ByteArrayDeserializer(),
                        new ByteArrayDeserializer());
        partitions =
                IntStream.range(0, partitionCount)
                        .mapToObj(i -> new TopicPartition(topic, i))
                        .toList();
        consumer.assign(partitions);
    }

    /** Makes the next poll start at the end. */
    public void seekToEnd() {
        consumer.seekToEnd(partitions);
        partitions.forEach(consumer::position);
    }

    /**
     * Reads all that the partitions hold, once.
     *
     * @return records that were read
     */
    public long readAll() {
        long total = consumer.endOffsets(partitions).values().stream().mapToLong(e -> e).sum();
        consumer.seekToBeginning(partitions);
        long records = 0;
        while (records < total) {
            records += poll();
        }
        return records;
    }

    /** One long poll; how many records came. */
    public int poll() {
        return consumer.poll(POLL).count();
    }

    /** Waits until at least one record has come, and returns how many came. */
    public int next() {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        int count;
        do {
            count = poll();
            if (count == 0 && System.nanoTime() > deadline) {
                throw new IllegalStateException(
                        "no record came for %s: positions %s, ends %s"
                                .formatted(
                                        LIMIT,
                                        partitions.stream().map(consumer::position).toList(),
                                        consumer.endOffsets(partitions)));
            }
        } while (count == 0);
        return count;
    }

    @Override
    public void close() {
        consumer.close();
    }
}
