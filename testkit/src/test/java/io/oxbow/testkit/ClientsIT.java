// SPDX-License-Identifier: Apache-2.0
package io.oxbow.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.oxbow.testkit.process.BrokerNode;
import io.oxbow.testkit.process.Layout;
import io.oxbow.testkit.process.TempDir;
import io.oxbow.testkit.process.ToolRun;
import io.oxbow.testkit.process.Wait;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients as people have them, unmodified: Java, librdkafka (kcat), kafkajs. */
class ClientsIT {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    private static TempDir home;
    private static BrokerNode node;

    @BeforeAll
    static void start() {
        home = TempDir.create("clients");
        node = BrokerNode.withDirs(home.path(), 3);
        node.format(UnderTest.SOFTWARE);
        node.start(UnderTest.SOFTWARE);
    }

    @AfterAll
    static void stop() {
        node.close();
        home.close();
    }

    @Test
    void shouldServeJavaClientsThatAssignPartitions() throws Exception {
        create("assigned", 3);
        List<String> sent = produce("assigned", 300);

        try (KafkaConsumer<String, String> consumer = consumer(Map.of())) {
            List<TopicPartition> all =
                    IntStream.range(0, 3).mapToObj(n -> new TopicPartition("assigned", n)).toList();
            consumer.assign(all);
            consumer.seekToBeginning(all);
            assertEquals(Set.copyOf(sent), values(consumer, sent.size()));
        }
    }

    @ParameterizedTest(name = "group.protocol={0}")
    @ValueSource(strings = {"classic", "consumer"})
    void shouldServeJavaClientsThatSubscribe(String protocol) throws Exception {
        String topic = "subscribed-" + protocol;
        create(topic, 3);
        List<String> sent = produce(topic, 300);
        Map<String, Object> group = Map.of("group.id", topic, "group.protocol", protocol);

        try (KafkaConsumer<String, String> consumer = consumer(group)) {
            consumer.subscribe(List.of(topic));
            assertEquals(Set.copyOf(sent), values(consumer, sent.size()));
            consumer.commitSync();
        }
        List<String> later = produce(topic, 30);
        try (KafkaConsumer<String, String> consumer = consumer(group)) {
            consumer.subscribe(List.of(topic));
            Set<String> expected = new HashSet<>(later);
            assertEquals(expected, values(consumer, later.size()), "from the committed offset on");
        }
    }

    @Test
    void shouldShareAGroupsPartitionsBetweenTwoMembers() throws Exception {
        create("shared", 4);
        Map<String, Object> group = Map.of("group.id", "shared", "group.protocol", "classic");
        try (KafkaConsumer<String, String> first = consumer(group);
                KafkaConsumer<String, String> second = consumer(group)) {
            first.subscribe(List.of("shared"));
            second.subscribe(List.of("shared"));
            Wait.until(
                    () -> "two each: " + first.assignment() + " and " + second.assignment(),
                    LIMIT,
                    () -> {
                        first.poll(Duration.ofMillis(100));
                        second.poll(Duration.ofMillis(100));
                        return first.assignment().size() == 2 && second.assignment().size() == 2;
                    });
        }
    }

    @Test
    void shouldServeKcat() throws Exception {
        assumeTrue(has("kcat"), "kcat is not installed (apt-get install kcat)");
        create("kcat", 1);
        List<String> words = IntStream.range(0, 1000).mapToObj(n -> "word " + n).toList();

        kcat(String.join("\n", words) + "\n", "-P", "-t", "kcat", "-z", "snappy");
        String read = kcat("", "-C", "-t", "kcat", "-o", "beginning", "-e", "-q");
        String listed = kcat("", "-L", "-t", "kcat");

        assertEquals(words, read.lines().toList());
        assertTrue(listed.contains("topic \"kcat\" with 1 partitions"), listed);
    }

    @Test
    void shouldServeKafkajs() throws Exception {
        assumeTrue(has("node") && has("npm"), "node and npm are not installed");
        create("kafkajs", 2);
        Path folder = Layout.root().resolve("testkit/target/kafkajs");
        Files.createDirectories(folder);
        if (!Files.isDirectory(folder.resolve("node_modules/kafkajs"))) {
            ToolRun.run(
                            "",
                            List.of(
                                    "npm",
                                    "install",
                                    "--silent",
                                    "--no-audit",
                                    "--no-fund",
                                    "--prefix",
                                    folder.toString(),
                                    "kafkajs@2.2.4"))
                    .ok();
        }
        Path script = folder.resolve("round-trip.js");
        try (var resource = ClientsIT.class.getResourceAsStream("/kafkajs/round-trip.js")) {
            Files.write(script, resource.readAllBytes());
        }
        String output =
                ToolRun.run("", List.of("node", script.toString(), node.bootstrap(), "kafkajs"))
                        .ok();
        assertTrue(output.contains("read back 100 of 100"), output);
    }

    private static String kcat(String input, String... arguments) {
        List<String> command = new ArrayList<>(List.of("kcat", "-b", node.bootstrap()));
        command.addAll(List.of(arguments));
        return ToolRun.run(input, command).ok();
    }

    private static boolean has(String program) {
        return List.of(System.getenv("PATH").split(":", -1)).stream()
                .anyMatch(dir -> Files.isExecutable(Path.of(dir, program)));
    }

    private static void create(String topic, int partitions) throws Exception {
        try (Admin admin = node.admin()) {
            admin.createTopics(List.of(new NewTopic(topic, partitions, (short) 1))).all().get();
        }
    }

    private static List<String> produce(String topic, int count) {
        List<String> values =
                IntStream.range(0, count)
                        .mapToObj(n -> "value " + System.nanoTime() + " " + n)
                        .toList();
        Map<String, Object> config = Map.of("bootstrap.servers", node.bootstrap());
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(config, new StringSerializer(), new StringSerializer())) {
            var sends =
                    values.stream()
                            .map(value -> producer.send(new ProducerRecord<>(topic, value, value)))
                            .toList();
            for (var send : sends) {
                assertTrue(send.get().offset() >= 0);
            }
        } catch (Exception e) {
            throw new AssertionError(e);
        }
        return values;
    }

    private static KafkaConsumer<String, String> consumer(Map<String, Object> more) {
        Map<String, Object> config = new HashMap<>(more);
        config.put("bootstrap.servers", node.bootstrap());
        config.put("auto.offset.reset", "earliest");
        config.put("enable.auto.commit", false);
        return new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer());
    }

    /** Values read until there are {@code count}; more than that or a double is a fault. */
    private static Set<String> values(KafkaConsumer<String, String> consumer, int count) {
        List<String> read = new ArrayList<>();
        Wait.until(
                () -> read.size() + " of " + count + " records read",
                LIMIT,
                () -> {
                    for (ConsumerRecord<String, String> each :
                            consumer.poll(Duration.ofMillis(200))) {
                        read.add(each.value());
                    }
                    return read.size() >= count;
                });
        Map<String, Long> counts =
                read.stream()
                        .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
        assertEquals(read.size(), counts.size(), "no record twice");
        return counts.keySet();
    }
}
