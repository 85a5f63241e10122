// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.golden;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Makes the golden files of this module with a real Apache Kafka: starts a broker, writes to a few
 * topics, copies their folders once under the running broker ({@code crashed}) and once after a
 * clean stop ({@code clean}). Run by hand, see the README beside the files:
 *
 * <pre>GoldenGenerator KAFKA_LIB_DIRECTORY WORK_DIRECTORY TARGET_DIRECTORY</pre>
 */
public final class GoldenGenerator implements AutoCloseable {
    private static final String ADDRESS = "localhost:19492";
    private static final long BASE_TIME_MS = 1_700_000_000_000L;

    private final Path lib;
    private final Path work;
    private final Path target;
    private final Path data;
    private Process broker;

    private GoldenGenerator(Path lib, Path work, Path target) {
        this.lib = lib;
        this.work = work;
        this.target = target;
        this.data = work.resolve("data");
    }

    /** Entry point. */
    public static void main(String[] args) throws Exception {
        try (GoldenGenerator generator =
                new GoldenGenerator(Path.of(args[0]), Path.of(args[1]), Path.of(args[2]))) {
            generator.run();
        }
    }

    private void run() throws Exception {
        Files.createDirectories(work);
        Path config = Files.writeString(work.resolve("server.properties"), configuration());
        java(
                        "kafka.tools.StorageTool",
                        "format",
                        "--standalone",
                        "-t",
                        "4L6g3nShT-eMCtK--X86sw",
                        "-c",
                        config.toString())
                .waitFor();
        broker = java("kafka.Kafka", config.toString());
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", ADDRESS))) {
            createTopics(admin);
        }
        codecs();
        segments();
        idempotent();
        transactions();
        appendTime();
        copy("crashed");
        broker.destroy();
        broker.waitFor(60, TimeUnit.SECONDS);
        copy("clean");
    }

    private String configuration() {
        return String.join(
                "\n",
                "process.roles=broker,controller",
                "node.id=1",
                "listeners=PLAINTEXT://" + ADDRESS + ",CONTROLLER://localhost:19493",
                "advertised.listeners=PLAINTEXT://" + ADDRESS,
                "controller.listener.names=CONTROLLER",
                "controller.quorum.bootstrap.servers=localhost:19493",
                "log.dirs=" + data,
                "offsets.topic.replication.factor=1",
                "transaction.state.log.replication.factor=1",
                "transaction.state.log.min.isr=1",
                "transaction.state.log.num.partitions=1",
                "log.index.size.max.bytes=4096",
                "");
    }

    private Process java(String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx512m", "-cp", lib + "/*"));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(work.resolve("kafka.log").toFile()))
                .start();
    }

    private static void createTopics(Admin admin) throws Exception {
        Map<String, String> dense = Map.of("index.interval.bytes", "100");
        List<NewTopic> topics =
                List.of(
                        topic("codecs", dense),
                        topic(
                                "segments",
                                Map.of("index.interval.bytes", "200", "segment.index.bytes", "96")),
                        topic("idempotent", dense),
                        topic("transactions", dense),
                        topic("append-time", Map.of("message.timestamp.type", "LogAppendTime")));
        admin.createTopics(topics).all().get(60, TimeUnit.SECONDS);
    }

    private static NewTopic topic(String name, Map<String, String> configuration) {
        return new NewTopic(name, 1, (short) 1).configs(configuration);
    }

    private static KafkaProducer<String, String> producer(Map<String, Object> more) {
        Map<String, Object> properties =
                new java.util.HashMap<>(
                        Map.of(
                                "bootstrap.servers",
                                ADDRESS,
                                "key.serializer",
                                StringSerializer.class,
                                "value.serializer",
                                StringSerializer.class,
                                "acks",
                                "all",
                                "linger.ms",
                                60_000));
        properties.putAll(more);
        return new KafkaProducer<>(properties);
    }

    /** Sends {@code count} records as one batch. */
    private static void batch(
            KafkaProducer<String, String> producer, String topic, int from, int count) {
        for (int i = from; i < from + count; i++) {
            ProducerRecord<String, String> record =
                    new ProducerRecord<>(topic, 0, BASE_TIME_MS + i * 10L, "key-" + i, value(i));
            record.headers().add("header", ("h" + i).getBytes(StandardCharsets.UTF_8));
            var _ = producer.send(record);
        }
        producer.flush();
    }

    private static String value(int i) {
        return "value-" + i + "-" + "x".repeat(i % 40);
    }

    private static void codecs() {
        int from = 0;
        for (String codec : List.of("none", "gzip", "snappy", "lz4", "zstd")) {
            try (var producer =
                    producer(Map.of("compression.type", codec, "enable.idempotence", false))) {
                for (int i = 0; i < 3; i++, from += 10) batch(producer, "codecs", from, 10);
            }
        }
    }

    private static void segments() {
        try (var producer = producer(Map.of())) {
            for (int i = 0; i < 120; i++) batch(producer, "segments", i, 1 + i % 3);
        }
    }

    private static void idempotent() {
        try (var one = producer(Map.of());
                var two = producer(Map.of());
                var three = producer(Map.of())) {
            for (int i = 0; i < 9; i++) {
                batch(one, "idempotent", i, 2);
                if (i % 2 == 0) batch(two, "idempotent", i, 1);
                if (i % 3 == 0) batch(three, "idempotent", i, 5);
            }
        }
    }

    private void transactions() throws ExecutionException, InterruptedException {
        var open = producer(Map.of("transactional.id", "open"));
        open.initTransactions();
        try (var mixed = producer(Map.of("transactional.id", "mixed"));
                var plain = producer(Map.of())) {
            mixed.initTransactions();
            for (int i = 0; i < 6; i++) {
                if (i == 4) {
                    open.beginTransaction();
                    batch(open, "transactions", 1000, 3);
                }
                mixed.beginTransaction();
                batch(mixed, "transactions", i * 10, 4);
                batch(plain, "transactions", i * 10 + 5, 2);
                if (i % 2 == 0) mixed.commitTransaction();
                else mixed.abortTransaction();
            }
        }
        // Left open: closing would abort it.
        openProducer = open;
    }

    private KafkaProducer<String, String> openProducer;

    private static void appendTime() {
        try (var producer = producer(Map.of("compression.type", "lz4"))) {
            for (int i = 0; i < 40; i++) batch(producer, "append-time", i, 5);
        }
    }

    private void copy(String state) throws IOException {
        try (var folders = Files.newDirectoryStream(data, "*-0")) {
            for (Path folder : folders) {
                String name = folder.getFileName().toString();
                if (name.startsWith("__")) continue;
                Path into = Files.createDirectories(target.resolve(state).resolve(name));
                try (var files = Files.newDirectoryStream(folder)) {
                    for (Path file : files) {
                        Files.copy(
                                file,
                                into.resolve(file.getFileName()),
                                StandardCopyOption.REPLACE_EXISTING);
                    }
                }
            }
        }
        Path checkpoints = Files.createDirectories(target.resolve(state));
        for (String name :
                List.of(
                        "recovery-point-offset-checkpoint",
                        "log-start-offset-checkpoint",
                        "replication-offset-checkpoint")) {
            if (!Files.exists(data.resolve(name))) continue;
            Files.copy(
                    data.resolve(name),
                    checkpoints.resolve(name),
                    StandardCopyOption.REPLACE_EXISTING);
        }
    }

    @Override
    public void close() {
        if (broker != null) broker.destroyForcibly().onExit().join();
        if (openProducer != null) openProducer.close(Duration.ZERO);
    }
}
