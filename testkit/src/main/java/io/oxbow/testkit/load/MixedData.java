// SPDX-License-Identifier: Apache-2.0
package io.oxbow.testkit.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Data of every kind that a broker keeps: all codecs, keys, headers, nulls, both timestamp types,
 * idempotent and transactional producers (committed, aborted, one left open), a compacted topic, a
 * topic whose start was deleted, a group's committed offsets. Written in rounds, on the calling
 * thread.
 */
public final class MixedData {

    /** The compacted topic, for those who wait for its cleaning. */
    public static final String COMPACTED = "compacted";

    /** The topic with transactions. */
    public static final String TRANSACTIONS = "transactions";

    private static final List<String> CODECS = List.of("none", "gzip", "snappy", "lz4", "zstd");
    private static final int PARTITIONS = 3;
    private static final int MEAN_SIZE = 500;

    private final String bootstrap;
    private final RandomRecords records;

    /**
     * @param seed decides every record
     */
    public MixedData(String bootstrap, long seed) {
        this.bootstrap = bootstrap;
        this.records = new RandomRecords(seed, System.currentTimeMillis() - 3_600_000);
    }

    /** Creates the topics; returns when all of their partitions serve. */
    public void createTopics() {
        List<NewTopic> topics = new ArrayList<>();
        for (String codec : CODECS) {
            topics.add(topic("codec-" + codec, Map.of()));
        }
        topics.add(topic("recompressed", Map.of("compression.type", "lz4")));
        topics.add(topic("log-append", Map.of("message.timestamp.type", "LogAppendTime")));
        topics.add(topic("shortened", Map.of("segment.bytes", "1048576")));
        topics.add(topic(TRANSACTIONS, Map.of("segment.bytes", "1048576")));
        topics.add(
                topic(
                        COMPACTED,
                        Map.of(
                                "cleanup.policy", "compact",
                                "segment.bytes", "1048576",
                                "min.cleanable.dirty.ratio", "0.01")));
        try (Admin admin = admin()) {
            get(admin.createTopics(topics).all());
            ServingPartitions.await(admin, topics.stream().map(NewTopic::name).toList());
        }
    }

    private static NewTopic topic(String name, Map<String, String> configs) {
        Map<String, String> all = new HashMap<>(configs);
        // The timestamps lie in the past; retention by time must not take the records away.
        all.put("retention.ms", "-1");
        return new NewTopic(name, PARTITIONS, (short) 1).configs(all);
    }

    /** Keeps the compacted topic as it is from now on, so that two readings can be equal. */
    public void stopCompaction() {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, COMPACTED);
        try (Admin admin = admin()) {
            get(
                    admin.incrementalAlterConfigs(
                                    Map.of(
                                            resource,
                                            List.of(
                                                    set(
                                                            "min.compaction.lag.ms",
                                                            "9223372036854775807"),
                                                    set("min.cleanable.dirty.ratio", "1.0"))))
                            .all());
        }
    }

    private static AlterConfigOp set(String key, String value) {
        return new AlterConfigOp(new ConfigEntry(key, value), AlterConfigOp.OpType.SET);
    }

    /** Writes about {@code bytes} (before compression) with idempotent and plain producers. */
    public void write(long bytes) {
        long share = bytes / (CODECS.size() + 4);
        for (String codec : CODECS) {
            write("codec-" + codec, codec, share, Map.of());
        }
        write("recompressed", "none", share / 2, Map.of());
        write("recompressed", "zstd", share / 2, Map.of("enable.idempotence", "false"));
        write("log-append", "zstd", share / 2, Map.of());
        write("log-append", "none", share / 2, Map.of("enable.idempotence", "false"));
        write("shortened", "none", share, Map.of());
        writeCompacted(Math.max(share, 12_000_000));
    }

    private void write(String topic, String codec, long bytes, Map<String, Object> more) {
        try (KafkaProducer<byte[], byte[]> producer = producer(codec, more)) {
            CheckedSends sends = new CheckedSends(producer);
            for (long sent = 0; sent < bytes; sent += MEAN_SIZE) {
                sends.send(records.next(topic, records.below(PARTITIONS), MEAN_SIZE));
            }
            sends.flush();
        }
    }

    private void writeCompacted(long bytes) {
        try (KafkaProducer<byte[], byte[]> producer = producer("none", Map.of())) {
            CheckedSends sends = new CheckedSends(producer);
            for (long sent = 0; sent < bytes; sent += 120) {
                sends.send(records.nextKeyed(COMPACTED, records.below(PARTITIONS), 3_000));
            }
            sends.flush();
        }
    }

    /**
     * Writes transactions of two producers, interleaved; a third of them is aborted.
     *
     * @param leaveOpen also leaves one transaction open, with a time-out of 15 minutes
     */
    public void writeTransactions(int count, boolean leaveOpen) {
        try (KafkaProducer<byte[], byte[]> first = transactional("first");
                KafkaProducer<byte[], byte[]> second = transactional("second")) {
            first.initTransactions();
            second.initTransactions();
            for (int i = 0; i < count; i++) {
                begin(first);
                begin(second);
                end(first, i % 3 == 0);
                end(second, i % 3 == 1);
            }
        }
        if (leaveOpen) {
            KafkaProducer<byte[], byte[]> open = transactional("open");
            open.initTransactions();
            begin(open);
            open.close(Duration.ZERO);
        }
    }

    private void begin(KafkaProducer<byte[], byte[]> producer) {
        producer.beginTransaction();
        CheckedSends sends = new CheckedSends(producer);
        for (int n = 0; n < 20; n++) {
            sends.send(records.next(TRANSACTIONS, n % PARTITIONS, 200));
        }
        sends.flush();
    }

    private static void end(KafkaProducer<byte[], byte[]> producer, boolean abort) {
        if (abort) {
            producer.abortTransaction();
        } else {
            producer.commitTransaction();
        }
    }

    /** Deletes the first records of topic "shortened". */
    public void deleteSomeRecords() {
        try (Admin admin = admin()) {
            get(
                    admin.deleteRecords(
                                    Map.of(
                                            new TopicPartition("shortened", 0),
                                            RecordsToDelete.beforeOffset(100),
                                            new TopicPartition("shortened", 1),
                                            RecordsToDelete.beforeOffset(7)))
                            .all());
        }
    }

    /** Commits offsets of a group. */
    public void commitOffsets(String group) {
        Map<String, Object> config = new HashMap<>();
        config.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap);
        config.put(ConsumerConfig.GROUP_ID_CONFIG, group);
        TopicPartition partition = new TopicPartition("codec-none", 0);
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(
                        config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.assign(List.of(partition));
            consumer.commitSync(Map.of(partition, new OffsetAndMetadata(42, "answer")));
        }
    }

    private KafkaProducer<byte[], byte[]> transactional(String name) {
        return producer(
                "lz4",
                Map.of(
                        ProducerConfig.TRANSACTIONAL_ID_CONFIG,
                        "transactional-" + name,
                        ProducerConfig.TRANSACTION_TIMEOUT_CONFIG,
                        900_000));
    }

    private KafkaProducer<byte[], byte[]> producer(String codec, Map<String, Object> more) {
        Map<String, Object> config = new HashMap<>();
        config.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap);
        config.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, codec);
        config.put(ProducerConfig.LINGER_MS_CONFIG, 5);
        config.put(ProducerConfig.BATCH_SIZE_CONFIG, 64 * 1024);
        config.putAll(more);
        return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
    }

    private Admin admin() {
        return Admin.create(Map.of("bootstrap.servers", bootstrap));
    }

    private static void get(KafkaFuture<?> future) {
        try {
            future.get();
        } catch (ExecutionException e) {
            throw new AssertionError(e.getCause().toString(), e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
