// SPDX-License-Identifier: Apache-2.0
package io.oxbow.cli;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * The demo's records: number n goes to partition n modulo {@value #PARTITIONS}, and its bytes
 * follow from n, so that the reader can check each one. Used by one thread.
 */
final class DemoTraffic {

    static final int RECORD_BYTES = 100;

    private static final String TOPIC = "demo";
    private static final int PARTITIONS = 6;
    private static final Duration QUIET = Duration.ofSeconds(30);

    private final String address;
    private final int records;
    private final List<TopicPartition> partitions =
            IntStream.range(0, PARTITIONS).mapToObj(n -> new TopicPartition(TOPIC, n)).toList();

    DemoTraffic(String address, int records) {
        this.address = address;
        this.records = records;
    }

    void createTopic() {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", address))) {
            admin.createTopics(List.of(new NewTopic(TOPIC, PARTITIONS, (short) 1))).all().get();
        } catch (ExecutionException e) {
            throw new CommandFailed("cannot create topic demo: " + e.getCause().getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailed("interrupted", e);
        }
    }

    /** Returns when every record is acknowledged. */
    void write() {
        Map<String, Object> config =
                Map.of(
                        "bootstrap.servers",
                        address,
                        "acks",
                        "all",
                        "enable.idempotence",
                        true,
                        "linger.ms",
                        5,
                        "batch.size",
                        128 * 1024);
        AtomicReference<Exception> failure = new AtomicReference<>();
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int n = 0; n < records && failure.get() == null; n++) {
                var _ =
                        producer.send(
                                new ProducerRecord<>(TOPIC, n % PARTITIONS, null, value(n)),
                                (metadata, error) -> failure.compareAndSet(null, error));
            }
        }
        if (failure.get() != null) {
            throw new CommandFailed("a write failed: " + failure.get(), failure.get());
        }
    }

    /** Reads until every record was seen; any that is missing, twice, or other is an error. */
    void readAndCheck() {
        int[] next = IntStream.range(0, PARTITIONS).toArray();
        Map<String, Object> config =
                Map.of("bootstrap.servers", address, "max.poll.records", 20_000);
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(
                        config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            int seen = 0;
            while (seen < records) {
                var batch = consumer.poll(QUIET);
                if (batch.isEmpty()) {
                    throw new CommandFailed(
                            "only %d of %d records came back".formatted(seen, records));
                }
                for (ConsumerRecord<byte[], byte[]> each : batch) {
                    check(each, next);
                    seen++;
                }
            }
        }
    }

    private static void check(ConsumerRecord<byte[], byte[]> each, int[] next) {
        int n = next[each.partition()];
        next[each.partition()] = n + PARTITIONS;
        if (!Arrays.equals(each.value(), value(n))) {
            throw new CommandFailed(
                    "partition %d offset %d is not record %d"
                            .formatted(each.partition(), each.offset(), n));
        }
    }

    private static byte[] value(int n) {
        byte[] bytes = new byte[RECORD_BYTES];
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        for (int i = 0; i < RECORD_BYTES; i += 4) {
            buffer.putInt(n * 31 + i);
        }
        return bytes;
    }
}
