// SPDX-License-Identifier: Apache-2.0
package io.oxbow.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.oxbow.testkit.load.AckedLoad;
import io.oxbow.testkit.load.DeliveryCheck;
import io.oxbow.testkit.process.BrokerNode;
import io.oxbow.testkit.process.Software;
import io.oxbow.testkit.process.TempDir;
import io.oxbow.testkit.process.Wait;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Kill -9 under load, again and again: nothing that was acknowledged is lost, doubled or moved.
 * {@code -Doxbow.crash.rounds} says how often (3 by default), {@code -Doxbow.seed} replays the
 * moments.
 */
class KillIT {

    private static final int ROUNDS = Integer.getInteger("oxbow.crash.rounds", 3);
    private static final long SEED = Long.getLong("oxbow.seed", System.nanoTime());
    private static final Duration LIMIT = Duration.ofSeconds(90);

    @ParameterizedTest(name = "{0} directories")
    @ValueSource(ints = {1, 3})
    void neverLosesOrDoublesWhatWasAcknowledged(int directories) throws Exception {
        Random random = new Random(SEED);
        System.out.println("seed " + SEED);
        List<TopicPartition> partitions =
                IntStream.range(0, 6).mapToObj(n -> new TopicPartition("killed", n)).toList();
        try (TempDir home = TempDir.create("kill");
                BrokerNode node = BrokerNode.withDirs(home.path(), directories)) {
            node.format(UnderTest.SOFTWARE);
            node.start(UnderTest.SOFTWARE);
            createTopic(node, partitions.size());
            Map<String, AckedLoad.Place> acked;
            try (AckedLoad load = new AckedLoad(node.bootstrap(), partitions).start(2)) {
                for (int round = 0; round < ROUNDS; round++) {
                    awaitMore(node, load, 500 + random.nextInt(10_000));
                    node.kill();
                    node.start(UnderTest.SOFTWARE);
                }
                awaitMore(node, load, 500);
                load.stop();
                assertNull(load.failure(), () -> load.failure() + node.process().outputTail());
                acked = load.acked();
            }
            assertKept(node, partitions, acked);
            node.stop();
            node.start(Software.KAFKA);
            assertKept(node, partitions, acked);
        }
    }

    private static void createTopic(BrokerNode node, int partitions) throws Exception {
        try (Admin admin = node.admin()) {
            // Small segments, so that kills also fall into rolling.
            NewTopic topic =
                    new NewTopic("killed", partitions, (short) 1)
                            .configs(Map.of("segment.bytes", "1048576"));
            admin.createTopics(List.of(topic)).all().get();
        }
    }

    private static void awaitMore(BrokerNode node, AckedLoad load, int records) {
        int target = load.ackedCount() + records;
        Wait.until(
                () ->
                        "%d records acknowledged, of %d; failure: %s%n%s"
                                .formatted(
                                        load.ackedCount(),
                                        target,
                                        load.failure(),
                                        node.process().outputTail()),
                LIMIT,
                () -> load.ackedCount() >= target || load.failure() != null);
        assertNull(load.failure());
    }

    private static void assertKept(
            BrokerNode node, List<TopicPartition> partitions, Map<String, AckedLoad.Place> acked) {
        assertEquals(List.of(), DeliveryCheck.faults(node.bootstrap(), partitions, acked));
    }
}
