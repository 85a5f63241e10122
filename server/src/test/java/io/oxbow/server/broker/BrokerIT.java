// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.oxbow.net.ListenFailed;
import io.oxbow.storage.dir.CleanShutdownFormat;
import io.oxbow.storage.lane.DirectoryStatus;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One node in this process and Kafka's own Java clients. */
@Timeout(120)
class BrokerIT {
    @TempDir private Path home;
    private TestNode node;

    @BeforeEach
    void start() {
        node = TestNode.start(home);
    }

    @AfterEach
    void stop() {
        node.close();
    }

    @Test
    void shouldGiveBackWhatWasProducedToATopicMadeByTheWay() throws Exception {
        List<RecordMetadata> sent = produce("made-by-the-way", 1_000);

        assertEquals(999, sent.getLast().offset());
        assertEquals(1_000, consume("made-by-the-way", 1_000).size());
    }

    @Test
    void shouldServeConsumersOfAGroup() throws Exception {
        try (Admin admin = node.admin()) {
            admin.createTopics(List.of(new NewTopic("t", 3, (short) 1))).all().get();
        }
        produce("t", 300);

        try (KafkaConsumer<String, String> consumer = consumer(Map.of("group.id", "g"))) {
            consumer.subscribe(List.of("t"));
            assertEquals(300, poll(consumer, 300).size());
            consumer.commitSync();
        }
        try (KafkaConsumer<String, String> consumer = consumer(Map.of("group.id", "g"))) {
            Set<TopicPartition> all =
                    Set.of(
                            new TopicPartition("t", 0),
                            new TopicPartition("t", 1),
                            new TopicPartition("t", 2));
            long committed =
                    consumer.committed(all).values().stream()
                            .mapToLong(each -> each.offset())
                            .sum();
            assertEquals(300, committed);
        }
    }

    @Test
    void shouldKeepEverythingOverARestart() throws Exception {
        produce("kept", 500);
        String clusterId = node.broker().clusterId();
        node.close();
        node = TestNode.start(home);

        assertEquals(clusterId, node.broker().clusterId());
        assertEquals(500, consume("kept", 500).size());
        assertEquals(500, produce("kept", 1).getFirst().offset());
    }

    @Test
    void shouldStillCountAsCleanlyStoppedAfterAStartThatFoundItsPortTaken() throws Exception {
        produce("kept", 500);
        node.close();
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String listeners =
                    "PLAINTEXT://localhost:%d,CONTROLLER://localhost:0"
                            .formatted(taken.getLocalPort());
            assertThrows(
                    ListenFailed.class, () -> TestNode.start(home, Map.of("listeners", listeners)));
        }
        for (int n = 1; n <= TestNode.DIRECTORIES; n++) {
            Path marker = home.resolve("d" + n).resolve(CleanShutdownFormat.FILE_NAME);
            assertTrue(Files.exists(marker), marker::toString);
        }
        node = TestNode.start(home);
        assertEquals(500, consume("kept", 500).size());
    }

    @Test
    void shouldManageTopics() throws Exception {
        try (Admin admin = node.admin()) {
            admin.createTopics(List.of(new NewTopic("a", 2, (short) 1))).all().get();
            assertEquals(2, partitions(admin, "a"));
            ExecutionException again =
                    assertThrows(
                            ExecutionException.class,
                            () ->
                                    admin.createTopics(List.of(new NewTopic("a", 2, (short) 1)))
                                            .all()
                                            .get());
            assertTrue(again.getCause() instanceof TopicExistsException, again.toString());

            admin.createPartitions(Map.of("a", NewPartitions.increaseTo(5))).all().get();
            assertEquals(5, partitions(admin, "a"));

            admin.deleteTopics(List.of("a")).all().get();
            assertEquals(Set.of(), admin.listTopics().names().get());
        }
    }

    @Test
    void shouldChangeAndDescribeConfigurations() throws Exception {
        ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, "c");
        try (Admin admin = node.admin()) {
            admin.createTopics(List.of(new NewTopic("c", 1, (short) 1))).all().get();
            Collection<AlterConfigOp> change =
                    List.of(
                            new AlterConfigOp(
                                    new ConfigEntry("retention.ms", "12345"),
                                    AlterConfigOp.OpType.SET));
            admin.incrementalAlterConfigs(Map.of(topic, change)).all().get();

            ConfigEntry entry =
                    admin.describeConfigs(List.of(topic))
                            .all()
                            .get()
                            .get(topic)
                            .get("retention.ms");
            assertEquals("12345", entry.value());
            assertEquals(ConfigEntry.ConfigSource.DYNAMIC_TOPIC_CONFIG, entry.source());
        }
    }

    @Test
    void shouldDescribeItsDirectories() throws Exception {
        produce("sized", 100);
        try (Admin admin = node.admin()) {
            var directories = admin.describeLogDirs(List.of(1)).allDescriptions().get().get(1);
            assertEquals(TestNode.DIRECTORIES, directories.size());
            long bytes =
                    directories.values().stream()
                            .flatMap(each -> each.replicaInfos().values().stream())
                            .mapToLong(each -> each.size())
                            .sum();
            assertTrue(bytes > 1_000, directories.toString());
            assertTrue(
                    directories.values().stream()
                            .allMatch(each -> each.totalBytes().getAsLong() > 0));
        }
    }

    @Test
    void shouldDescribeTheClusterAndItsQuorum() throws Exception {
        try (Admin admin = node.admin()) {
            assertEquals(1, admin.describeCluster().nodes().get().size());
            assertEquals(node.broker().clusterId(), admin.describeCluster().clusterId().get());
            assertEquals(1, admin.describeMetadataQuorum().quorumInfo().get().leaderId());
            var features = admin.describeFeatures().featureMetadata().get().finalizedFeatures();
            assertTrue(features.containsKey("metadata.version"), features.toString());
            assertEquals(1, features.get("kraft.version").maxVersionLevel());
        }
    }

    @Test
    void shouldSpreadTopicsOverItsDirectories() throws Exception {
        try (Admin admin = node.admin()) {
            admin.createTopics(List.of(new NewTopic("wide", 9, (short) 1))).all().get();
            produce("wide", 900);
            Set<String> used = new HashSet<>();
            admin.describeLogDirs(List.of(1)).allDescriptions().get().get(1).entrySet().stream()
                    .filter(each -> !each.getValue().replicaInfos().isEmpty())
                    .forEach(each -> used.add(each.getKey()));
            assertEquals(TestNode.DIRECTORIES, used.size());
        }
    }

    @Test
    void shouldTellATransactionalProducerAtOnceThatItCannotServeIt() {
        try (KafkaProducer<String, String> producer =
                producer(Map.of("transactional.id", "tx", "max.block.ms", "20000"))) {
            assertThrows(KafkaException.class, producer::initTransactions);
        }
    }

    @Test
    void shouldServeTheOtherDirectoriesWhenOneDies() throws Exception {
        try (Admin admin = node.admin()) {
            admin.createTopics(List.of(new NewTopic("wide", 9, (short) 1))).all().get();
            produce("wide", 90);
            Path dead = home.resolve("d2");
            Files.delete(dead.resolve("meta.properties"));

            Set<Integer> alive = partitionsWithLeader(admin, "wide", 6);
            assertEquals(6, alive.size(), alive.toString());
            assertEquals(
                    1,
                    node.broker().directories().stream()
                            .filter(each -> each.state() == DirectoryStatus.State.OFFLINE)
                            .count());
            try (KafkaProducer<String, String> producer = producer(Map.of())) {
                for (int partition : alive) {
                    producer.send(new ProducerRecord<>("wide", partition, "k", "after")).get();
                }
            }
        }
    }

    @Test
    void neverMakesAnEmptyLogInPlaceOfOneInARemovedDirectory() throws Exception {
        try (Admin admin = node.admin()) {
            admin.createTopics(List.of(new NewTopic("wide", 3, (short) 1))).all().get();
        }
        produce("wide", 300);
        node.close();
        String without = home.resolve("d1") + "," + home.resolve("d3");
        node = TestNode.start(home, Map.of("log.dirs", without));
        try (Admin admin = node.admin()) {
            assertEquals(2, partitionsWithLeader(admin, "wide", 2).size());
        }
        node.close();
        node = TestNode.start(home);
        assertEquals(300, consume("wide", 300).size());
    }

    @Test
    void shouldServeGroupsOfTheNewProtocol() throws Exception {
        produce("t", 100);
        Map<String, Object> settings = Map.of("group.id", "new", "group.protocol", "consumer");
        try (KafkaConsumer<String, String> consumer = consumer(settings)) {
            consumer.subscribe(List.of("t"));
            assertEquals(100, poll(consumer, 100).size());
            consumer.commitSync();
        }
        try (Admin admin = node.admin()) {
            long committed =
                    admin
                            .listConsumerGroupOffsets("new")
                            .partitionsToOffsetAndMetadata()
                            .get()
                            .values()
                            .stream()
                            .mapToLong(each -> each.offset())
                            .sum();
            assertEquals(100, committed);
        }
    }

    @Test
    void shouldStopAndSayWhyWhenTheLastDirectoryDies() throws Exception {
        for (int i = 1; i <= TestNode.DIRECTORIES; i++) {
            Files.delete(home.resolve("d" + i).resolve("meta.properties"));
        }
        String reason = node.broker().awaitStopped().orElseThrow();

        assertTrue(reason.contains("log"), reason);
    }

    @Test
    void shouldStopAndSayWhyWhenTheMetadataDirectoryIsGone() throws Exception {
        Files.delete(home.resolve("metadata").resolve("meta.properties"));
        String reason = node.broker().awaitStopped().orElseThrow();

        assertTrue(reason.contains("metadata directory is gone"), reason);
    }

    @Test
    void shouldApplyBrokerConfigurationAtOnce() throws Exception {
        ConfigResource all = new ConfigResource(ConfigResource.Type.BROKER, "");
        try (Admin admin = node.admin()) {
            Collection<AlterConfigOp> change =
                    List.of(
                            new AlterConfigOp(
                                    new ConfigEntry("message.max.bytes", "2000"),
                                    AlterConfigOp.OpType.SET));
            admin.createTopics(List.of(new NewTopic("small", 1, (short) 1))).all().get();
            admin.incrementalAlterConfigs(Map.of(all, change)).all().get();
            produce("small", 1);
            try (KafkaProducer<String, String> producer = producer(Map.of())) {
                ExecutionException refused =
                        assertThrows(
                                ExecutionException.class,
                                () ->
                                        producer.send(
                                                        new ProducerRecord<>(
                                                                "small", "v".repeat(3_000)))
                                                .get());
                assertTrue(
                        refused.getCause() instanceof RecordTooLargeException, refused.toString());
            }
        }
    }

    /** Waits until the topic has just so many partitions with a leader. */
    private static Set<Integer> partitionsWithLeader(Admin admin, String topic, int count)
            throws Exception {
        Set<Integer> led = new HashSet<>();
        long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (System.nanoTime() < deadline) {
            led.clear();
            admin
                    .describeTopics(List.of(topic))
                    .allTopicNames()
                    .get()
                    .get(topic)
                    .partitions()
                    .stream()
                    .filter(each -> each.leader() != null && !each.leader().isEmpty())
                    .forEach(each -> led.add(each.partition()));
            if (led.size() == count) break;
        }
        return led;
    }

    private static int partitions(Admin admin, String topic) throws Exception {
        return admin.describeTopics(List.of(topic))
                .allTopicNames()
                .get()
                .get(topic)
                .partitions()
                .size();
    }

    private List<RecordMetadata> produce(String topic, int records) throws Exception {
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        try (KafkaProducer<String, String> producer = producer(Map.of())) {
            for (int i = 0; i < records; i++) {
                sent.add(producer.send(new ProducerRecord<>(topic, "k" + i, "value " + i)));
            }
        }
        List<RecordMetadata> acknowledged = new ArrayList<>();
        for (Future<RecordMetadata> each : sent) acknowledged.add(each.get());
        return acknowledged;
    }

    private List<ConsumerRecord<String, String>> consume(String topic, int records) {
        try (KafkaConsumer<String, String> consumer = consumer(Map.of())) {
            List<TopicPartition> partitions =
                    consumer.partitionsFor(topic).stream()
                            .map(each -> new TopicPartition(topic, each.partition()))
                            .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            return poll(consumer, records);
        }
    }

    private static List<ConsumerRecord<String, String>> poll(
            KafkaConsumer<String, String> consumer, int records) {
        List<ConsumerRecord<String, String>> seen = new ArrayList<>();
        long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (seen.size() < records && System.nanoTime() < deadline) {
            consumer.poll(Duration.ofMillis(200)).forEach(seen::add);
        }
        return seen;
    }

    private KafkaProducer<String, String> producer(Map<String, Object> more) {
        return new KafkaProducer<>(
                node.client(more), new StringSerializer(), new StringSerializer());
    }

    private KafkaConsumer<String, String> consumer(Map<String, Object> more) {
        Map<String, Object> settings = node.client(more);
        settings.putIfAbsent("auto.offset.reset", "earliest");
        settings.put("enable.auto.commit", "false");
        return new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer());
    }
}
