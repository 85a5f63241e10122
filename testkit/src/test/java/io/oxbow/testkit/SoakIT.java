// SPDX-License-Identifier: Apache-2.0
package io.oxbow.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.oxbow.testkit.load.AckedLoad;
import io.oxbow.testkit.load.Repeated;
import io.oxbow.testkit.load.ServingPartitions;
import io.oxbow.testkit.load.TailReader;
import io.oxbow.testkit.process.BrokerNode;
import io.oxbow.testkit.process.ProcessProbe;
import io.oxbow.testkit.process.ProcessProbe.Holding;
import io.oxbow.testkit.process.TempDir;
import io.oxbow.testkit.process.Wait;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/**
 * A day in minutes: mixed load with rolling, retention, compaction, deletes, re-creations, groups
 * that come and go. What the broker holds is looked at after each eighth of the time, after a full
 * collection: the last looks must be no more than the first ones after the warm-up, and Netty's
 * leak detector has nothing to say. {@code -Doxbow.soak.seconds} says how long (24 by default).
 */
class SoakIT {

    private static final long SECONDS = Integer.getInteger("oxbow.soak.seconds", 24);
    private static final int LOOKS = 8;
    private static final int WARM = 2;
    private static final long MIB = 1 << 20;
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final Random random = new Random(1);

    @Test
    void shouldHoldNoMoreAtTheEndThanAtTheStart() throws Exception {
        try (TempDir home = TempDir.create("soak");
                BrokerNode node = BrokerNode.withDirs(home.path(), 3)) {
            node.settings(
                    node.settings()
                            .with("log.retention.check.interval.ms", "1000")
                            .with("log.initial.task.delay.ms", "1000")
                            .with("log.segment.delete.delay.ms", "1000")
                            .with("log.cleaner.backoff.ms", "1000")
                            .with("offsets.retention.check.interval.ms", "5000")
                            .withMoreJvm("-Dio.netty.leakDetection.level=paranoid"));
            node.format(UnderTest.SOFTWARE);
            node.start(UnderTest.SOFTWARE);
            soak(node);
            node.stop();
        }
    }

    private void soak(BrokerNode node) throws Exception {
        String bootstrap = node.bootstrap();
        List<TopicPartition> rolling = partitions("rolling", 6);
        try (Admin admin = node.admin();
                KafkaProducer<byte[], byte[]> keyed = producer(bootstrap)) {
            createLasting(admin);
            keyed.send(new ProducerRecord<>("rolling", new byte[100])).get();
            // Coordinators are loaded before topics are deleted: the library calls it an error.
            comeAndGo(bootstrap);
            try (AckedLoad load =
                            new AckedLoad(bootstrap, rolling)
                                    .atMost(1_000)
                                    .padded(900)
                                    .forgetful()
                                    .start(1);
                    TailReader tail = new TailReader(bootstrap, rolling);
                    Repeated keys = new Repeated("keys", 500, () -> sendKeyed(keyed));
                    Repeated churn = new Repeated("churn", 1, () -> recreate(admin));
                    Repeated deletes = new Repeated("deletes", 1, () -> deleteRecords(admin));
                    Repeated groups = new Repeated("groups", 1, () -> comeAndGo(bootstrap))) {
                List<Holding> looks = new ArrayList<>();
                Map<String, Long> heap = Map.of();
                ProcessProbe probe = new ProcessProbe(node.process().pid());
                for (int look = 0; look < LOOKS; look++) {
                    awaitTime(SECONDS * 1_000_000_000L / LOOKS);
                    looks.add(probe.afterCollection());
                    System.out.println(looks.getLast());
                    heap = look == WARM ? probe.histogram() : heap;
                    assertGoesOn(load, tail, List.of(keys, churn, deletes, groups));
                }
                System.out.println(ProcessProbe.growth(heap, probe.histogram(), 12));
                assertFlat(looks, probe, heap);
                load.stop();
            }
        }
        assertEquals(List.of(), node.process().outputLines(line -> line.contains("LEAK:")));
        assertEquals(List.of(), node.process().outputLines(line -> line.contains(" ERROR ")));
    }

    private static void createLasting(Admin admin) throws Exception {
        Map<String, String> small =
                Map.of("segment.bytes", "1048576", "file.delete.delay.ms", "1000");
        Map<String, String> rolling = new HashMap<>(small);
        rolling.put("retention.bytes", "4194304");
        Map<String, String> compacted = new HashMap<>(small);
        compacted.put("cleanup.policy", "compact");
        compacted.put("min.cleanable.dirty.ratio", "0.1");
        compacted.put("delete.retention.ms", "1000");
        Map<String, String> both = new HashMap<>(compacted);
        both.put("cleanup.policy", "compact,delete");
        both.put("retention.ms", "5000");
        both.put("segment.ms", "2000");
        admin.createTopics(
                        List.of(
                                new NewTopic("rolling", 6, (short) 1).configs(rolling),
                                new NewTopic("compacted", 3, (short) 1).configs(compacted),
                                new NewTopic("both", 3, (short) 1).configs(both)))
                .all()
                .get();
        ServingPartitions.await(admin, List.of("rolling", "compacted", "both"));
    }

    private void sendKeyed(KafkaProducer<byte[], byte[]> producer) {
        byte[] key = Integer.toString(random.nextInt(2_000)).getBytes(StandardCharsets.UTF_8);
        byte[] value = random.nextInt(10) == 0 ? null : new byte[1_000];
        var _ = producer.send(new ProducerRecord<>("compacted", key, value));
        var _ = producer.send(new ProducerRecord<>("both", key, value));
    }

    /** A topic of the same name as the one before, and one whose name is new. */
    private static void recreate(Admin admin) {
        List<String> names = List.of("again", "once-" + System.nanoTime());
        get(() -> admin.createTopics(names.stream().map(SoakIT::small).toList()).all().get());
        ServingPartitions.await(admin, names);
        get(() -> admin.deleteTopics(names).all().get());
    }

    private static NewTopic small(String name) {
        return new NewTopic(name, 4, (short) 1);
    }

    private static void deleteRecords(Admin admin) {
        get(
                () ->
                        admin.deleteRecords(
                                        Map.of(
                                                new TopicPartition("rolling", 0),
                                                RecordsToDelete.beforeOffset(-1)))
                                .all()
                                .get());
    }

    /** A group that joins, reads a little, commits and leaves; one in ten is never seen again. */
    private void comeAndGo(String bootstrap) {
        String group = random.nextInt(10) == 0 ? "once-" + random.nextInt() : "often";
        Map<String, Object> config =
                Map.of(
                        "bootstrap.servers",
                        bootstrap,
                        "group.id",
                        group,
                        "auto.offset.reset",
                        "earliest",
                        "enable.auto.commit",
                        false);
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(
                        config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.subscribe(List.of("rolling"));
            long deadline = System.nanoTime() + LIMIT.toNanos();
            while (consumer.poll(Duration.ofMillis(200)).isEmpty()) {
                assertTrue(System.nanoTime() - deadline < 0, "a group reads");
            }
            consumer.commitSync();
        }
    }

    private static void assertGoesOn(AckedLoad load, TailReader tail, List<Repeated> others) {
        assertNull(load.failure());
        assertNull(tail.failure());
        others.forEach(other -> assertNull(other.failure()));
    }

    /** The least of the last looks against the most of the first ones after the warm-up. */
    private static void assertFlat(
            List<Holding> looks, ProcessProbe probe, Map<String, Long> heapBefore) {
        List<Holding> early = looks.subList(WARM, LOOKS / 2 + 1);
        List<Holding> late = looks.subList(LOOKS - 3, LOOKS);
        String all = looks.toString();
        int threads = early.stream().mapToInt(Holding::threads).max().orElseThrow();
        int descriptors = early.stream().mapToInt(Holding::descriptors).max().orElseThrow();
        long heap = early.stream().mapToLong(Holding::heapBytes).max().orElseThrow();
        long resident = early.stream().mapToLong(Holding::residentBytes).max().orElseThrow();
        assertTrue(
                late.stream().mapToInt(Holding::threads).min().orElseThrow() <= threads + 2,
                () -> "threads: " + all);
        assertTrue(
                late.stream().mapToInt(Holding::descriptors).min().orElseThrow()
                        <= descriptors + 16,
                () -> all + "\n" + probe.descriptorTargets());
        assertTrue(
                late.stream().mapToLong(Holding::heapBytes).min().orElseThrow()
                        <= heap + 2 * MIB + heap / 20,
                () -> all + "\n" + ProcessProbe.growth(heapBefore, probe.histogram(), 30));
        assertTrue(
                late.stream().mapToLong(Holding::residentBytes).min().orElseThrow()
                        <= resident + resident / 10 + 16 * MIB,
                () -> "resident: " + all);
    }

    private static void awaitTime(long nanos) {
        long end = System.nanoTime() + nanos;
        Wait.until(
                "time passes",
                Duration.ofNanos(nanos).plus(LIMIT),
                () -> System.nanoTime() - end >= 0);
    }

    private static List<TopicPartition> partitions(String topic, int count) {
        return IntStream.range(0, count).mapToObj(n -> new TopicPartition(topic, n)).toList();
    }

    private static KafkaProducer<byte[], byte[]> producer(String bootstrap) {
        return new KafkaProducer<>(
                Map.of("bootstrap.servers", bootstrap, "linger.ms", 20),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    private interface Step {
        Object run() throws ExecutionException, InterruptedException;
    }

    private static void get(Step step) {
        try {
            var _ = step.run();
        } catch (ExecutionException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
