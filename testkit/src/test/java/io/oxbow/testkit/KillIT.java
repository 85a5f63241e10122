// SPDX-License-Identifier: Apache-2.0
package io.oxbow.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.oxbow.testkit.fault.Fault;
import io.oxbow.testkit.fault.FaultyDisk;
import io.oxbow.testkit.load.AckedLoad;
import io.oxbow.testkit.load.DeliveryCheck;
import io.oxbow.testkit.load.ServingPartitions;
import io.oxbow.testkit.process.BrokerNode;
import io.oxbow.testkit.process.Software;
import io.oxbow.testkit.process.TempDir;
import java.nio.file.Path;
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
 * Kill -9 under load, again and again, some of the kills in the middle of a write: nothing that was
 * acknowledged is lost, doubled or moved. What each round had to recover and how long that took is
 * printed; what is read for it must follow what was written since the last checkpoint, not what is
 * there.
 *
 * <p>{@code -Doxbow.crash.rounds} says how often (3 by default), {@code -Doxbow.seed} replays the
 * moments.
 */
class KillIT {

    private static final int ROUNDS = Integer.getInteger("oxbow.crash.rounds", 3);
    private static final long SEED = Long.getLong("oxbow.seed", System.nanoTime());
    private static final Duration LIMIT = Duration.ofSeconds(90);
    private static final int PADDING = 400;

    @ParameterizedTest(name = "{0} directories")
    @ValueSource(ints = {1, 3})
    void neverLosesOrDoublesWhatWasAcknowledged(int directories) throws Exception {
        Random random = new Random(SEED);
        System.out.println("seed " + SEED);
        List<TopicPartition> partitions =
                IntStream.range(0, 6).mapToObj(n -> new TopicPartition("killed", n)).toList();
        try (TempDir home = TempDir.create("kill");
                Killer killer = new Killer(home.path());
                BrokerNode node = BrokerNode.withDirs(home.path(), directories)) {
            RecoveryTimes times = new RecoveryTimes(killer.disk);
            // Checkpoints come between most kills, as they do between crashes.
            node.settings(
                    node.settings()
                            .with("log.flush.offset.checkpoint.interval.ms", "1000")
                            .withEnvironment(killer.environment()));
            node.format(UnderTest.SOFTWARE);
            node.start(UnderTest.SOFTWARE);
            createTopic(node, partitions.size());
            Map<String, AckedLoad.Place> acked;
            try (AckedLoad load =
                    new AckedLoad(node.bootstrap(), partitions).padded(PADDING).start(2)) {
                for (int round = 0; round < ROUNDS; round++) {
                    LoadProgress.awaitMore(node, load, 500 + random.nextInt(10_000), LIMIT);
                    killer.kill(node, random);
                    times.restart(node);
                }
                LoadProgress.awaitMore(node, load, 500, LIMIT);
                load.stop();
                assertNull(load.failure(), () -> load.failure() + node.process().outputTail());
                acked = load.acked();
            }
            assertKept(node, partitions, acked);
            times.printLine();
            node.stop();
            node.settings(node.settings().withEnvironment(Map.of()));
            node.start(Software.KAFKA);
            assertKept(node, partitions, acked);
        }
    }

    /** Kills a node, every third time in the middle of a write, where the library can be built. */
    private static final class Killer implements AutoCloseable {
        private final FaultyDisk disk;

        Killer(Path home) {
            disk = FaultyDisk.isPossible() ? new FaultyDisk(home) : null;
            if (disk == null) {
                System.out.println("no torn writes: they need gcc and glibc");
            }
        }

        Map<String, String> environment() {
            return disk == null ? Map.of() : disk.environment();
        }

        void kill(BrokerNode node, Random random) {
            if (disk == null || random.nextInt(3) > 0) {
                node.kill();
                return;
            }
            List<FaultyDisk.Injected> tears =
                    node.settings().dataDirs().stream()
                            .map(dir -> Fault.tear(dir, ".log").after(random.nextInt(50)))
                            .map(disk::inject)
                            .toList();
            assertEquals(128 + 9, node.process().awaitExit(LIMIT));
            tears.forEach(FaultyDisk.Injected::close);
        }

        @Override
        public void close() {
            if (disk != null) {
                disk.close();
            }
        }
    }

    private static void createTopic(BrokerNode node, int partitions) throws Exception {
        try (Admin admin = node.admin()) {
            // Small segments, so that kills also fall into rolling.
            NewTopic topic =
                    new NewTopic("killed", partitions, (short) 1)
                            .configs(Map.of("segment.bytes", "1048576"));
            admin.createTopics(List.of(topic)).all().get();
            ServingPartitions.await(admin, List.of("killed"));
        }
    }

    private static void assertKept(
            BrokerNode node, List<TopicPartition> partitions, Map<String, AckedLoad.Place> acked) {
        assertEquals(List.of(), DeliveryCheck.faults(node.bootstrap(), partitions, acked));
    }
}
