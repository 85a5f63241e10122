// SPDX-License-Identifier: Apache-2.0
package io.oxbow.testkit;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.oxbow.testkit.fault.Fault;
import io.oxbow.testkit.fault.FaultyDisk;
import io.oxbow.testkit.fault.Operation;
import io.oxbow.testkit.load.AckedLoad;
import io.oxbow.testkit.load.Latencies;
import io.oxbow.testkit.load.Repeated;
import io.oxbow.testkit.load.TailReader;
import io.oxbow.testkit.process.Wait;
import io.oxbow.testkit.wire.GroupMember;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Utils;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Every write to one directory takes half a second; the two beside it, groups and metadata do not
 * notice. Stretches with and without the slow one take turns, {@code -Doxbow.slow.rounds} of each
 * (2 by default) of {@code -Doxbow.slow.seconds} (4); the median of the p99 of each kind is
 * compared. {@code -Doxbow.slow.ratio} is what is allowed (2 by default: a few seconds on a machine
 * that does other things; 1.2 in the profile), and {@code -Doxbow.slow.granted.ms}, since the
 * clients run on the same cores and one more of them, the slow one's, costs that.
 */
class SlowDirectoryIT {

    private static final int ROUNDS = Integer.getInteger("oxbow.slow.rounds", 2);
    private static final long STRETCH_NANOS =
            Duration.ofSeconds(Integer.getInteger("oxbow.slow.seconds", 4)).toNanos();
    private static final double RATIO =
            Double.parseDouble(System.getProperty("oxbow.slow.ratio", "2"));
    private static final double GRANTED_MS =
            Double.parseDouble(System.getProperty("oxbow.slow.granted.ms", "20"));
    private static final Duration DELAY = Duration.ofMillis(500);
    private static final int RECORDS_PER_SECOND = 200;
    private static final int OFFSETS_PARTITIONS = 12;
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @BeforeAll
    static void needsCompiler() {
        assumeTrue(FaultyDisk.isPossible(), "needs gcc and glibc");
    }

    @Test
    void shouldServeHealthyDirectoriesAsIfTheSlowOneWereNotThere() {
        try (ThreeDisks disks = withFaults()) {
            disks.createTopic("t", 12);
            String bootstrap = disks.node().bootstrap();
            List<TopicPartition> healthy = new ArrayList<>(disks.partitionsOn(0, "t"));
            healthy.addAll(disks.partitionsOn(1, "t"));
            List<TopicPartition> slow = disks.partitionsOn(2, "t");
            try (Admin admin = disks.node().admin();
                    GroupMember member =
                            new GroupMember(disks.node().port(), groups(disks, 0).getFirst());
                    TailReader tail = new TailReader(bootstrap, healthy);
                    AckedLoad load = load(bootstrap, healthy);
                    Repeated beats = new Repeated("beats", 50, member::heartbeat);
                    Repeated asks = new Repeated("asks", 50, () -> describe(admin))) {
                Map<String, Latencies> watched = new LinkedHashMap<>();
                watched.put("produce", load.latencies());
                watched.put("send to arrival", tail.latencies());
                watched.put("heartbeat", beats.latencies());
                watched.put("metadata", asks.latencies());
                Stretches stretches = new Stretches(watched);
                warmUp(load);
                for (int round = 0; round < ROUNDS; round++) {
                    stretches.measure(false);
                    besideSlow(disks, slow, () -> stretches.measure(true));
                }
                stretches.assertEqual();
                assertNull(load.failure());
                assertNull(tail.failure());
                assertNull(beats.failure());
                assertNull(asks.failure());
            }
        }
    }

    /**
     * Commits of groups on the slow directory, on as many partitions as the coordinator has
     * threads, must not hold up others. A heartbeat of a group there is answered after the commits
     * before it, because the coordinator's library answers in order.
     */
    @Test
    void shouldAnswerHeartbeatsWhileCommitsAreSlow() {
        try (ThreeDisks disks = withFaults()) {
            disks.createTopic("t", 3);
            List<String> slow = groups(disks, 2);
            int port = disks.node().port();
            List<Repeated> commits = new ArrayList<>();
            try (GroupMember healthy = new GroupMember(port, groups(disks, 0).getFirst());
                    GroupMember behind = new GroupMember(port, slow.getFirst());
                    Repeated beats = new Repeated("beats", 50, healthy::heartbeat);
                    Repeated late = new Repeated("late", 50, behind::heartbeat)) {
                for (String group : slow) {
                    GroupMember writer = new GroupMember(port, another(group));
                    commits.add(new Repeated("commits", 50, () -> writer.commit("t", 1)));
                }
                Stretches stretches = new Stretches(Map.of("heartbeat", beats.latencies()));
                Wait.until("warm", LIMIT, () -> commits.getLast().latencies().count() > 200);
                for (int round = 0; round < ROUNDS; round++) {
                    stretches.measure(false);
                    long begun = System.nanoTime();
                    Fault delay =
                            Fault.delay(
                                    Path.of(disks.directory(2)), DELAY, Set.of(Operation.WRITE));
                    try (var _ = disks.faults().inject(delay)) {
                        stretches.measure(true);
                    }
                    long ended = System.nanoTime();
                    Latencies.Summary waited = late.latencies().between(begun, ended);
                    System.out.println("heartbeats behind slow commits: " + waited);
                    assertTrue(waited.max() < 10 * DELAY.toMillis(), waited::toString);
                    for (Repeated each : commits) {
                        assertTrue(each.latencies().between(begun, ended).max() > 400, "slow");
                    }
                }
                stretches.assertEqual();
                for (Repeated each : List.of(beats, late, commits.getLast())) {
                    assertNull(each.failure());
                }
            } finally {
                commits.forEach(Repeated::close);
            }
        }
    }

    private static AckedLoad load(String bootstrap, List<TopicPartition> partitions) {
        return new AckedLoad(bootstrap, partitions)
                .atMost(RECORDS_PER_SECOND)
                .padded(1_000)
                .timed()
                .start(1);
    }

    private static void besideSlow(ThreeDisks disks, List<TopicPartition> slow, Runnable measured) {
        try (AckedLoad load = load(disks.node().bootstrap(), slow)) {
            FaultyDisk.Injected fault =
                    disks.faults()
                            .inject(
                                    Fault.delay(
                                            Path.of(disks.directory(2)),
                                            DELAY,
                                            Set.of(Operation.WRITE)));
            try (fault) {
                Wait.until("a write is slow", LIMIT, () -> fault.calls() > 0);
                measured.run();
            }
            load.stop();
            assertNull(load.failure());
        }
    }

    private static void describe(Admin admin) {
        try {
            admin.describeTopics(List.of("t")).allTopicNames().get();
        } catch (ExecutionException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static ThreeDisks withFaults() {
        return ThreeDisks.withFaultsInMemory(
                256,
                "oxbow.log.dir.placement=count",
                "offsets.topic.num.partitions=" + OFFSETS_PARTITIONS);
    }

    /** A group for each partition of offsets in that directory, with coordinators that serve. */
    private static List<String> groups(ThreeDisks disks, int directory) {
        for (int partition = 0; partition < OFFSETS_PARTITIONS; partition++) {
            awaitCoordinator(disks, name(partition));
        }
        return disks.partitionsOn(directory, "__consumer_offsets").stream()
                .map(partition -> name(partition.partition()))
                .toList();
    }

    private static String name(int partition) {
        return firstOf("group-", partition);
    }

    /** Another group whose offsets are kept in the same partition. */
    private static String another(String group) {
        return firstOf("another-", partitionOf(group));
    }

    private static String firstOf(String prefix, int partition) {
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> prefix + i)
                .filter(name -> partitionOf(name) == partition)
                .findFirst()
                .orElseThrow();
    }

    private static int partitionOf(String group) {
        return Utils.abs(group.hashCode()) % OFFSETS_PARTITIONS;
    }

    private static void awaitCoordinator(ThreeDisks disks, String group) {
        try (Admin admin = disks.node().admin()) {
            Wait.until(
                    "group " + group + " has a coordinator",
                    LIMIT,
                    () -> {
                        try {
                            admin.listConsumerGroupOffsets(group).all().get();
                            return true;
                        } catch (ExecutionException notYet) {
                            return false;
                        } catch (InterruptedException e) {
                            throw new AssertionError(e);
                        }
                    });
        }
    }

    private static void warmUp(AckedLoad load) {
        int target = load.ackedCount() + 10 * RECORDS_PER_SECOND;
        Wait.until("clients and broker are warm", LIMIT, () -> load.ackedCount() >= target);
    }

    /** What was measured in turns: alone, and beside a slow directory. */
    private static final class Stretches {
        private final Map<String, Latencies> watched;
        private final Map<String, List<Latencies.Summary>> alone = new LinkedHashMap<>();
        private final Map<String, List<Latencies.Summary>> beside = new LinkedHashMap<>();

        Stretches(Map<String, Latencies> watched) {
            this.watched = watched;
        }

        void measure(boolean besideSlow) {
            long begun = System.nanoTime();
            Wait.until("time passes", LIMIT, () -> System.nanoTime() - begun > STRETCH_NANOS);
            long ended = System.nanoTime();
            watched.forEach(
                    (name, latencies) ->
                            (besideSlow ? beside : alone)
                                    .computeIfAbsent(name, each -> new ArrayList<>())
                                    .add(latencies.between(begun, ended)));
        }

        void assertEqual() {
            List<String> worse = new ArrayList<>();
            for (String name : watched.keySet()) {
                double before = medianOfP99(alone.get(name));
                double after = medianOfP99(beside.get(name));
                System.out.printf(
                        "%s: p99 alone %.2f ms, beside a slow directory %.2f ms, ratio %.2f%n",
                        name, before, after, after / before);
                alone.get(name).forEach(each -> System.out.println("  alone  " + each));
                beside.get(name).forEach(each -> System.out.println("  beside " + each));
                if (after > before * RATIO && after > before + GRANTED_MS) {
                    worse.add("%s: %.2f ms, alone %.2f ms".formatted(name, after, before));
                }
            }
            assertTrue(worse.isEmpty(), worse::toString);
        }

        private static double medianOfP99(List<Latencies.Summary> summaries) {
            double[] all =
                    summaries.stream().mapToDouble(Latencies.Summary::p99).sorted().toArray();
            return Arrays.stream(all).skip((all.length - 1) / 2).findFirst().orElseThrow();
        }
    }
}
