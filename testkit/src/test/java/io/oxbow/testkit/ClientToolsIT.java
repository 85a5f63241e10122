// SPDX-License-Identifier: Apache-2.0
package io.oxbow.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.oxbow.testkit.process.BrokerNode;
import io.oxbow.testkit.process.TempDir;
import io.oxbow.testkit.process.ToolRun;
import io.oxbow.testkit.process.Wait;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Kafka's own command-line tools, unmodified. */
class ClientToolsIT {

    private static TempDir home;
    private static BrokerNode node;

    @BeforeAll
    static void start() {
        home = TempDir.create("tools");
        node = BrokerNode.withDirs(home.path(), 3);
        node.settings(
                node.settings().with("metadata.log.max.record.bytes.between.snapshots", "2000"));
        node.format(UnderTest.SOFTWARE);
        node.start(UnderTest.SOFTWARE);
    }

    @AfterAll
    static void stop() {
        node.close();
        home.close();
    }

    private static String tool(String name, String... arguments) {
        return toolWithInput("", name, arguments);
    }

    private static String toolWithInput(String input, String name, String... arguments) {
        String[] all =
                Stream.concat(
                                Stream.of("--bootstrap-server", node.bootstrap()),
                                Stream.of(arguments))
                        .toArray(String[]::new);
        return ToolRun.kafkaWithInput(input, name, all).ok();
    }

    private static void assertContains(String output, String... expected) {
        for (String each : expected) {
            assertTrue(output.contains(each), () -> "\"" + each + "\" is not in:\n" + output);
        }
    }

    private static void write(String topic, int records) {
        String lines =
                IntStream.range(0, records)
                        .mapToObj(n -> "k" + n + ":v" + n)
                        .collect(Collectors.joining("\n", "", "\n"));
        toolWithInput(
                lines,
                "ConsoleProducer",
                "--topic",
                topic,
                "--reader-property",
                "parse.key=true",
                "--reader-property",
                "key.separator=:");
    }

    @Test
    void shouldServeKafkaTopics() {
        tool("TopicCommand", "--create", "--topic", "topics", "--partitions", "2");
        tool("TopicCommand", "--alter", "--topic", "topics", "--partitions", "5");
        String described = tool("TopicCommand", "--describe", "--topic", "topics");
        assertContains(described, "PartitionCount: 5", "ReplicationFactor: 1", "Isr: 1");
        assertContains(tool("TopicCommand", "--list"), "topics");
        tool("TopicCommand", "--delete", "--topic", "topics");
        Wait.until(
                "topic is gone",
                Duration.ofSeconds(20),
                () -> !tool("TopicCommand", "--list").lines().toList().contains("topics"));
    }

    @Test
    void shouldServeConsoleProducerAndConsumer() {
        tool("TopicCommand", "--create", "--topic", "console", "--partitions", "1");
        write("console", 50);
        String read =
                tool(
                        "consumer.ConsoleConsumer",
                        "--topic",
                        "console",
                        "--from-beginning",
                        "--max-messages",
                        "50",
                        "--timeout-ms",
                        "30000",
                        "--formatter-property",
                        "print.key=true",
                        "--group",
                        "console-group");
        assertContains(read, "k0\tv0", "k49\tv49", "Processed a total of 50 messages");
        String group =
                tool(
                        "consumer.group.ConsumerGroupCommand",
                        "--describe",
                        "--group",
                        "console-group");
        assertContains(group, "console-group", "50");
    }

    @Test
    void shouldServeKafkaConfigs() {
        tool("TopicCommand", "--create", "--topic", "configs", "--partitions", "1");
        tool(
                "ConfigCommand",
                "--alter",
                "--entity-type",
                "topics",
                "--entity-name",
                "configs",
                "--add-config",
                "retention.ms=12345678,cleanup.policy=[compact,delete]");
        String described =
                tool(
                        "ConfigCommand",
                        "--describe",
                        "--entity-type",
                        "topics",
                        "--entity-name",
                        "configs");
        assertContains(described, "retention.ms=12345678", "cleanup.policy=compact,delete");
        String all =
                tool(
                        "ConfigCommand",
                        "--describe",
                        "--all",
                        "--entity-type",
                        "brokers",
                        "--entity-name",
                        "1");
        assertContains(all, "log.dirs=", "num.io.threads=", "log.segment.bytes=");
        tool(
                "ConfigCommand",
                "--alter",
                "--entity-type",
                "brokers",
                "--entity-default",
                "--add-config",
                "log.retention.ms=87654321");
        assertContains(
                tool("ConfigCommand", "--describe", "--entity-type", "brokers", "--entity-default"),
                "log.retention.ms=87654321");
    }

    @Test
    void shouldServeKafkaGetOffsetsAndDeleteRecords() throws IOException {
        tool("TopicCommand", "--create", "--topic", "offsets", "--partitions", "1");
        write("offsets", 40);
        assertContains(tool("GetOffsetShell", "--topic", "offsets"), "offsets:0:40");
        Path file = home.path().resolve("delete-records.json");
        Files.writeString(
                file,
                "{\"version\":1,\"partitions\":"
                        + "[{\"topic\":\"offsets\",\"partition\":0,\"offset\":15}]}");
        String deleted = tool("DeleteRecordsCommand", "--offset-json-file", file.toString());
        assertContains(deleted, "low_watermark: 15");
        assertContains(
                tool("GetOffsetShell", "--topic", "offsets", "--time", "earliest"), "offsets:0:15");
        assertContains(
                tool("GetOffsetShell", "--topic", "offsets", "--time", "latest"), "offsets:0:40");
    }

    @Test
    void shouldServeKafkaLogDirs() {
        tool("TopicCommand", "--create", "--topic", "dirs", "--partitions", "6");
        write("dirs", 10);
        String described = tool("LogDirsCommand", "--describe", "--topic-list", "dirs");
        for (Path dir : node.settings().dataDirs()) {
            assertContains(described, "\"logDir\":\"" + dir + "\"");
        }
        assertEquals(6, described.split("\"partition\":\"dirs-", -1).length - 1, described);
    }

    @Test
    void shouldServeKafkaDumpLog() {
        tool("TopicCommand", "--create", "--topic", "dumped", "--partitions", "1");
        write("dumped", 7);
        Path segment = find("dumped-0", "00000000000000000000.log").orElseThrow();
        String dump =
                ToolRun.kafka("DumpLogSegments", "--print-data-log", "--files", segment.toString())
                        .ok();
        assertContains(dump, "Log starting offset: 0", "payload: v6", "isvalid: true");
    }

    @Test
    void shouldServeKafkaMetadataQuorum() {
        String status = tool("MetadataQuorumCommand", "describe", "--status");
        assertContains(status, "LeaderId:", "MaxFollowerLag:", "CurrentVoters:");
        assertContains(
                tool("MetadataQuorumCommand", "describe", "--replication"),
                "Leader",
                "LogEndOffset");
    }

    @Test
    void shouldServeKafkaMetadataShellOnASnapshot() throws IOException {
        // One from the start may be older than the broker's registration.
        Optional<Path> before = newestSnapshot();
        for (int n = 0; n < 20 && newestSnapshot().equals(before); n++) {
            tool("TopicCommand", "--create", "--topic", "snapshot-" + n, "--partitions", "3");
        }
        Wait.until(
                "a snapshot of the metadata",
                Duration.ofSeconds(30),
                () -> !newestSnapshot().equals(before));
        // The shell wants the directory for itself, so it gets a copy.
        Path snapshot = newestSnapshot().orElseThrow();
        Path copy = Files.createDirectories(home.path().resolve("copy/__cluster_metadata-0"));
        Path copied = Files.copy(snapshot, copy.resolve(snapshot.getFileName().toString()));
        String listed =
                ToolRun.kafka(
                                "org.apache.kafka.shell.MetadataShell",
                                "--snapshot",
                                copied.toString(),
                                "find",
                                "/image/cluster")
                        .ok();
        assertContains(listed, "/image/cluster/brokers/1");
    }

    /** The newest snapshot beyond the one that formatting writes. */
    private static Optional<Path> newestSnapshot() {
        return list(node.settings().dataDirs().getFirst().resolve("__cluster_metadata-0")).stream()
                .filter(file -> file.toString().endsWith(".checkpoint"))
                .filter(file -> !file.getFileName().toString().startsWith("0".repeat(20) + "-"))
                .max(Comparator.naturalOrder());
    }

    private static Optional<Path> find(String partition, String file) {
        return node.settings().dataDirs().stream()
                .map(dir -> dir.resolve(partition).resolve(file))
                .filter(Files::exists)
                .findFirst();
    }

    private static List<Path> list(Path dir) {
        try (Stream<Path> files = Files.list(dir)) {
            return files.toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
