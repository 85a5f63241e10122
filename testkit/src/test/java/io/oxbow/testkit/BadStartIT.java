// SPDX-License-Identifier: Apache-2.0
package io.oxbow.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.oxbow.testkit.process.BrokerNode;
import io.oxbow.testkit.process.ChildProcess;
import io.oxbow.testkit.process.FolderDigest;
import io.oxbow.testkit.process.Software;
import io.oxbow.testkit.process.TempDir;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Starts that cannot work: the process ends with a non-zero code and one line that names the key,
 * the value and the mend, and what is in the directories stays as it was.
 */
class BadStartIT {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    private TempDir home;
    private BrokerNode node;

    @BeforeEach
    void makeNode() {
        home = TempDir.create("bad-start");
        node = BrokerNode.withDirs(home.path(), 2);
    }

    @AfterEach
    void removeNode() {
        node.close();
        home.close();
    }

    @ParameterizedTest(name = "{0}={1}")
    @CsvSource({
        "num.network.threads, many, a whole number",
        "node.id, -7, whole number",
        "process.roles, conductor, broker",
        "log.retention.ms, soon, a whole number",
        "listeners, PLAINTEXT://localhost, PLAINTEXT://localhost:9092",
        "compression.type, zip, ",
        "message.max.bytes, -1, ",
        "inter.broker.listener.name, NOSUCH, "
    })
    void shouldNameKeyValueAndMend(String key, String value, String mend) throws IOException {
        node.format(UnderTest.SOFTWARE);
        node.settings(node.settings().with(key, value));

        String line = refusal();

        assertTrue(line.contains(key), line);
        assertTrue(line.contains(value), line);
        assertTrue(mend == null || line.contains(mend), line);
    }

    @Test
    void shouldNameTheDirectoryOfAnotherCluster() throws IOException {
        node.format(UnderTest.SOFTWARE);
        Path foreign = node.settings().dataDirs().get(1).resolve("meta.properties");
        Files.writeString(
                foreign,
                Files.readString(foreign)
                        .replaceAll("(?m)^cluster.id=.*$", "cluster.id=AnotherClusterAnotherCl"));

        String line = refusal();

        assertTrue(line.contains(foreign.getParent().toString()), line);
        assertTrue(line.contains("AnotherClusterAnotherCl"), line);
    }

    @Test
    void shouldNameTheDirectoryOfAnotherNode() throws IOException {
        node.format(UnderTest.SOFTWARE);
        Path foreign = node.settings().dataDirs().get(1).resolve("meta.properties");
        Files.writeString(
                foreign, Files.readString(foreign).replaceAll("(?m)^node.id=.*$", "node.id=77"));

        String line = refusal();

        assertTrue(line.contains(foreign.getParent().toString()), line);
        assertTrue(line.contains("77"), line);
    }

    @Test
    void shouldSayThatNothingIsFormatted() throws IOException {
        String line = refusal();

        assertTrue(line.contains("storage format"), line);
    }

    @Test
    void shouldNameADirectoryThatAnotherProcessUses() throws IOException {
        node.format(UnderTest.SOFTWARE);
        node.start(UnderTest.SOFTWARE);
        try (BrokerNode second = new BrokerNode(sub("second"), node.settings())) {
            String line = refusal(second);
            assertTrue(line.contains(node.settings().dataDirs().getFirst().toString()), line);
        }
        assertTrue(node.process().isAlive(), node.process()::outputTail);
    }

    @Test
    void shouldNameAPortThatIsTaken() throws IOException {
        node.format(UnderTest.SOFTWARE);
        try (ServerSocket taken = new ServerSocket()) {
            taken.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), node.port()));
            String line = refusal();
            assertTrue(line.contains(String.valueOf(node.port())), line);
        }
    }

    @Test
    void shouldLeaveDamagedMetaPropertiesAlone() throws IOException {
        node.format(UnderTest.SOFTWARE);
        Path damaged = node.settings().dataDirs().getFirst().resolve("meta.properties");
        Files.write(damaged, new byte[] {0, 1, 2, 3, 4, 5, 6, 7});

        String line = refusal();

        assertTrue(line.contains(damaged.getParent().toString()), line);
    }

    @Test
    void shouldNameAFileThatIsNotThere() {
        assumeTrue(UnderTest.SOFTWARE == Software.OXBOW, "Kafka says it in other words");
        try (ChildProcess process =
                ChildProcess.start(
                        UnderTest.startCommand(home.path().resolve("missing.properties")),
                        java.util.Map.of(),
                        node.log())) {
            assertNotEquals(0, process.awaitExit(LIMIT));
            String line = lastLine(process);
            assertTrue(line.contains("missing.properties"), line);
        }
    }

    /** Starts, expects the end, and returns the line that says why; no file may have changed. */
    private String refusal() throws IOException {
        List<Path> dirs = node.settings().dataDirs();
        List<String> before = FolderDigest.of(dirs);
        String line = refusal(node);
        // Files may have been added (a clean-shutdown marker, checkpoints), as after any stop.
        List<String> changed = new ArrayList<>(before);
        changed.removeAll(FolderDigest.of(dirs));
        assertEquals(List.of(), changed, "files that have changed or gone");
        return line;
    }

    private static String refusal(BrokerNode refused) {
        assumeTrue(UnderTest.SOFTWARE == Software.OXBOW, "Kafka says it in other words");
        try (ChildProcess process = refused.launch(UnderTest.SOFTWARE)) {
            int code = process.awaitExit(LIMIT);
            assertNotEquals(0, code, process::outputTail);
            assertEquals(
                    List.of(),
                    process.output().lines().filter(l -> l.startsWith("\tat ")).toList(),
                    "stack traces");
            return lastLine(process);
        }
    }

    private static String lastLine(ChildProcess process) {
        List<String> lines = process.output().lines().filter(line -> !line.isBlank()).toList();
        assertTrue(!lines.isEmpty(), "it said nothing");
        return lines.getLast();
    }

    private Path sub(String name) throws IOException {
        return Files.createDirectories(home.path().resolve(name));
    }
}
