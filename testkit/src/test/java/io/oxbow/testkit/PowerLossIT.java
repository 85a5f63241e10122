// SPDX-License-Identifier: Apache-2.0
package io.oxbow.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.oxbow.testkit.fault.FaultyDisk;
import io.oxbow.testkit.fault.PowerLoss;
import io.oxbow.testkit.load.AckedLoad;
import io.oxbow.testkit.load.DeliveryCheck;
import io.oxbow.testkit.load.ServingPartitions;
import io.oxbow.testkit.process.BrokerNode;
import io.oxbow.testkit.process.TempDir;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/**
 * The power fails under load, again and again: of a topic that is synced before it is acknowledged
 * nothing that was acknowledged is lost, although every other file has lost its tail. {@code
 * -Doxbow.crash.rounds} says how often (3 by default), {@code -Doxbow.seed} replays the moments.
 */
class PowerLossIT {

    private static final int ROUNDS = Integer.getInteger("oxbow.crash.rounds", 3);
    private static final long SEED = Long.getLong("oxbow.seed", System.nanoTime());
    private static final Duration LIMIT = Duration.ofSeconds(90);

    @Test
    void neverLosesWhatWasSyncedBeforeItWasAcknowledged() throws Exception {
        assumeTrue(FaultyDisk.isPossible(), "needs gcc and glibc");
        System.out.println("seed " + SEED);
        Random random = new Random(SEED);
        try (TempDir home = TempDir.create("power");
                FaultyDisk disk = new FaultyDisk(home.path());
                BrokerNode node = BrokerNode.withDirs(home.path(), 3)) {
            node.settings(node.settings().withEnvironment(disk.environment()));
            node.format(UnderTest.SOFTWARE);
            List<Path> dirs = node.settings().dataDirs();
            PowerLoss loss = disk.powerLoss(dirs);
            node.start(UnderTest.SOFTWARE);
            List<TopicPartition> partitions =
                    IntStream.range(0, 6).mapToObj(n -> new TopicPartition("synced", n)).toList();
            createTopic(node);
            List<Long> lost = new ArrayList<>();
            try (AckedLoad load =
                    new AckedLoad(node.bootstrap(), partitions).padded(200).start(2)) {
                for (int round = 0; round < ROUNDS; round++) {
                    LoadProgress.awaitMore(node, load, 100 + random.nextInt(2_000), LIMIT);
                    node.kill();
                    lost.add(loss.happen());
                    loss = disk.powerLoss(dirs);
                    node.start(UnderTest.SOFTWARE);
                }
                LoadProgress.awaitMore(node, load, 500, LIMIT);
                load.stop();
                assertNull(load.failure(), () -> load.failure() + node.process().outputTail());
                System.out.println("bytes lost in each round: " + lost);
                assertEquals(
                        List.of(),
                        DeliveryCheck.faults(node.bootstrap(), partitions, load.acked()));
            }
        }
    }

    private static void createTopic(BrokerNode node) throws Exception {
        try (Admin admin = node.admin()) {
            NewTopic topic =
                    new NewTopic("synced", 6, (short) 1)
                            .configs(Map.of("segment.bytes", "1048576", "flush.messages", "1"));
            admin.createTopics(List.of(topic)).all().get();
            ServingPartitions.await(admin, List.of("synced"));
        }
    }
}
