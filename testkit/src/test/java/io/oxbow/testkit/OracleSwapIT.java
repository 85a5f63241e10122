// SPDX-License-Identifier: Apache-2.0
package io.oxbow.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.oxbow.testkit.census.Census;
import io.oxbow.testkit.census.CensusTaker;
import io.oxbow.testkit.load.MixedData;
import io.oxbow.testkit.process.BrokerNode;
import io.oxbow.testkit.process.Software;
import io.oxbow.testkit.process.TempDir;
import io.oxbow.testkit.process.Wait;
import io.oxbow.testkit.wire.IdempotentSender;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;

/**
 * Apache Kafka and Oxbow take turns on the same directories, and nobody can tell from what is
 * served. {@code -Doxbow.oracle.mb} says how much data (60 by default).
 */
class OracleSwapIT {

    private static final long BYTES = Long.getLong("oxbow.oracle.mb", 60) * 1_000_000;

    @Test
    void shouldServeTheSameAsKafkaOnTheSameDirectoriesAndBack() {
        try (TempDir home = TempDir.create("swap");
                BrokerNode node = node(home.path())) {
            node.format(Software.KAFKA);
            node.start(Software.KAFKA);
            MixedData data = new MixedData(node.bootstrap(), 1);
            data.createTopics();
            data.write(BYTES * 2 / 3);
            data.writeTransactions(30, true);
            data.deleteSomeRecords();
            data.commitOffsets("readers");
            awaitCleaning(node);
            data.stopCompaction();
            IdempotentSender sender = new IdempotentSender(node.port(), "codec-none", 2);
            sender.sendNext();
            sender.sendNext();
            Census byKafka = CensusTaker.take(node.bootstrap());
            node.stop();

            node.start(UnderTest.SOFTWARE);
            Census taken = CensusTaker.take(node.bootstrap());
            assertSame(byKafka, taken, "Kafka's data in Oxbow");
            assertEquals(List.of(), taken.wrongLookups());
            assertContinues(sender);
            data.write(BYTES / 3);
            data.commitOffsets("readers-of-the-second-round");
            Census byOxbow = CensusTaker.take(node.bootstrap());
            assertEquals(List.of(), byOxbow.wrongLookups());
            assertTrue(byOxbow.recordCount() > byKafka.recordCount());
            node.stop();
            assertStoppedCleanly(node);

            node.start(Software.KAFKA);
            assertSame(byOxbow, CensusTaker.take(node.bootstrap()), "Oxbow's data in Kafka");
            assertContinues(sender);
            data.writeTransactions(3, false);
            node.stop();
        }
    }

    private static BrokerNode node(Path home) {
        BrokerNode node = BrokerNode.withDirs(home, 3);
        node.settings(
                node.settings()
                        .with("log.cleaner.backoff.ms", "500")
                        .with("log.retention.check.interval.ms", "3600000"));
        return node;
    }

    /** A duplicate gets its first offset, a gap is refused, the next one is appended. */
    private static void assertContinues(IdempotentSender sender) {
        IdempotentSender.Answer duplicate = sender.sendLastAgain();
        assertEquals(Errors.NONE, duplicate.error());
        assertEquals(sender.lastOffset(), duplicate.offset(), "offset of a duplicate");
        assertEquals(Errors.OUT_OF_ORDER_SEQUENCE_NUMBER, sender.sendWithGap().error());
        long before = sender.lastOffset();
        IdempotentSender.Answer next = sender.sendNext();
        assertEquals(Errors.NONE, next.error());
        assertTrue(next.offset() > before, () -> next + " is not after " + before);
        assertEquals(next, sender.sendLastAgain(), "the batch that was just sent, once more");
    }

    private static void awaitCleaning(BrokerNode node) {
        Wait.until(
                "cleaner-offset-checkpoint names all partitions of the compacted topic",
                Duration.ofSeconds(60),
                () -> cleaned(node.settings().dataDirs()) == 3);
    }

    private static long cleaned(List<Path> dirs) {
        return dirs.stream()
                .map(dir -> dir.resolve("cleaner-offset-checkpoint"))
                .filter(Files::exists)
                .flatMap(file -> read(file).lines())
                .filter(line -> line.startsWith(MixedData.COMPACTED + " "))
                .count();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void assertStoppedCleanly(BrokerNode node) {
        for (Path dir : node.settings().dataDirs()) {
            assertTrue(
                    Files.exists(dir.resolve(".kafka_cleanshutdown")),
                    () ->
                            "no clean-shutdown marker in "
                                    + dir
                                    + "\n"
                                    + node.process().outputTail());
        }
    }

    private static void assertSame(Census before, Census after, String what) {
        List<String> differences = before.differences(after);
        assertTrue(
                differences.isEmpty(),
                () ->
                        what
                                + " differs:\n"
                                + String.join(
                                        "\n",
                                        differences.subList(0, Math.min(40, differences.size()))));
    }
}
