// SPDX-License-Identifier: Apache-2.0
package io.oxbow.controller;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.ObjectSerializationCache;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.MetadataProvenance;
import org.apache.kafka.image.TopicImage;
import org.apache.kafka.metadata.MetadataRecordSerde;
import org.apache.kafka.metadata.PartitionRegistration;
import org.apache.kafka.metadata.Replicas;
import org.apache.kafka.raft.Batch;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.apache.kafka.server.common.MetadataVersion;

/** What holds after any sequence of requests, failures and leader changes. */
class ControllerPropertyTest {
    private static final int BROKERS = 4;

    @Property(tries = 500)
    void alwaysHasLeadersInSyncAndEpochsThatNeverFall(
            @ForAll long seed, @ForAll @IntRange(min = 10, max = 80) int steps) {
        Run run = new Run(seed, MetadataVersion.latestProduction());
        for (int i = 0; i < steps; i++) {
            run.step();
            run.check();
        }
        run.checkReplay();
    }

    @Property(tries = 150)
    void alwaysHoldsForOldMetadataVersionsToo(
            @ForAll long seed, @ForAll @IntRange(min = 0, max = 25) int version) {
        Run run =
                new Run(seed, MetadataVersion.VERSIONS[version % MetadataVersion.VERSIONS.length]);
        for (int i = 0; i < 40; i++) {
            run.step();
            run.check();
        }
        run.checkReplay();
    }

    /** One cluster and what a seed makes of it. */
    private static final class Run {
        private final Random random;
        private final SimController controller;
        private final Map<Integer, Uuid[]> directories = new HashMap<>();
        private final Set<Integer> started = new TreeSet<>();
        private final Map<String, PartitionRegistration> seen = new HashMap<>();
        private final List<CompletableFuture<ApiMessage>> asked = new ArrayList<>();
        private int topics;
        private int raftEpoch = 1;

        Run(long seed, MetadataVersion version) {
            random = new Random(seed);
            controller = new SimController(version, seed);
            controller.raft.becomeLeader(raftEpoch);
            controller.settle();
        }

        void step() {
            switch (random.nextInt(14)) {
                case 0, 1 -> register();
                case 2, 3, 4 -> heartbeat();
                case 5 -> createTopic();
                case 6 -> ask(Requests.delete(topicName()));
                case 7 -> ask(Requests.grow(topicName(), 1 + random.nextInt(6)));
                case 8 -> isr();
                case 9 -> reassign();
                case 10 -> assign();
                case 11 -> ask(Requests.elect(random.nextInt(2), topicName(), 0));
                case 12 -> configure();
                default -> disturb();
            }
        }

        private void ask(ApiMessage request) {
            asked.add(controller.ask(request));
            // Often several requests are decided before any is committed.
            if (random.nextInt(3) > 0) controller.run();
            if (random.nextInt(3) > 0) controller.settle();
        }

        private void register() {
            controller.settle();
            int broker = 1 + random.nextInt(BROKERS);
            Uuid[] ids =
                    directories.computeIfAbsent(
                            broker,
                            id ->
                                    IntStream.rangeClosed(0, random.nextInt(3))
                                            .mapToObj(i -> SimController.directory(id, i))
                                            .toArray(Uuid[]::new));
            var request = controller.registration(broker, ids);
            if (random.nextBoolean()) request.setPreviousBrokerEpoch(-1);
            if (controller.register(request).errorCode() == 0) started.add(broker);
        }

        private void heartbeat() {
            if (started.isEmpty()) return;
            int broker = broker();
            var heartbeat =
                    controller
                            .heartbeatOf(broker)
                            .setWantFence(random.nextInt(6) == 0)
                            .setWantShutDown(random.nextInt(8) == 0);
            Uuid[] ids = directories.get(broker);
            if (random.nextInt(6) == 0) {
                heartbeat.setOfflineLogDirs(List.of(ids[random.nextInt(ids.length)]));
            }
            ask(heartbeat);
        }

        private void createTopic() {
            ask(
                    Requests.createTopics(
                            Requests.topic(
                                    "t" + topics++, 1 + random.nextInt(3), 1 + random.nextInt(3))));
        }

        private void isr() {
            controller.settle();
            PartitionRegistration partition = partition();
            if (partition == null || partition.leader < 0) return;
            if (!started.contains(partition.leader)) return;
            int[] members =
                    IntStream.of(partition.replicas)
                            .filter(replica -> replica == partition.leader || random.nextBoolean())
                            .filter(started::contains)
                            .toArray();
            ask(PartitionsTest.isr(controller, lastTopic, members));
        }

        private void reassign() {
            List<Integer> target =
                    random.nextInt(4) == 0
                            ? null
                            : random.ints(1, BROKERS + 1)
                                    .distinct()
                                    .limit(1 + random.nextInt(3))
                                    .boxed()
                                    .toList();
            ask(Requests.reassign(topicName(), 0, target));
        }

        private void assign() {
            controller.settle();
            PartitionRegistration partition = partition();
            if (partition == null) return;
            int broker = partition.replicas[random.nextInt(partition.replicas.length)];
            if (!started.contains(broker)) return;
            Uuid[] ids = directories.get(broker);
            ask(
                    PartitionsTest.assign(
                            controller,
                            broker,
                            ids[random.nextInt(ids.length)],
                            controller.image().topics().getTopic(lastTopic).id(),
                            0));
        }

        private void configure() {
            String[] unclean = {"true", "false"};
            ask(
                    Requests.configure(
                            ConfigResource.Type.TOPIC,
                            topicName(),
                            Requests.set("min.insync.replicas", "" + (1 + random.nextInt(3))),
                            Requests.set(
                                    "unclean.leader.election.enable", unclean[random.nextInt(2)])));
        }

        private void disturb() {
            switch (random.nextInt(3)) {
                case 0 -> controller.tickAfter(4_000);
                case 1 -> controller.tickAfter(60_000);
                default -> {
                    controller.raft.loseLeadership(2, ++raftEpoch);
                    controller.raft.becomeLeader(++raftEpoch);
                    controller.settle();
                    assertTrue(asked.stream().allMatch(CompletableFuture::isDone));
                }
            }
        }

        private String lastTopic = "";

        private PartitionRegistration partition() {
            lastTopic = topicName();
            TopicImage topic = controller.image().topics().getTopic(lastTopic);
            return topic == null ? null : topic.partitions().get(0);
        }

        private String topicName() {
            return "t" + random.nextInt(Math.max(topics, 1));
        }

        private int broker() {
            List<Integer> ids = List.copyOf(started);
            return ids.get(random.nextInt(ids.size()));
        }

        void check() {
            for (MetadataImage image : List.of(controller.image(), controller.working())) {
                for (TopicImage topic : image.topics().topicsById().values()) {
                    topic.partitions().forEach((id, p) -> check(image, topic.name(), id, p));
                }
            }
            MetadataImage committed = controller.image();
            for (TopicImage topic : committed.topics().topicsById().values()) {
                topic.partitions()
                        .forEach(
                                (id, now) -> {
                                    PartitionRegistration before =
                                            seen.put(topic.id() + "-" + id, now);
                                    if (before == null) return;
                                    assertTrue(now.leaderEpoch >= before.leaderEpoch);
                                    assertTrue(now.partitionEpoch >= before.partitionEpoch);
                                    assertTrue(
                                            now.leader == before.leader
                                                    || now.leaderEpoch > before.leaderEpoch,
                                            "a new leader has a new epoch");
                                });
            }
        }

        private static void check(
                MetadataImage image, String topic, int id, PartitionRegistration partition) {
            String what = topic + "-" + id + ": " + partition;
            assertTrue(Replicas.validate(partition.replicas), what);
            assertTrue(Replicas.validateIsr(partition.replicas, partition.isr), what);
            assertEquals(partition.replicas.length, partition.directories.length, what);
            for (int eligible : partition.elr) {
                assertTrue(!Replicas.contains(partition.isr, eligible), what);
            }
            if (partition.leader < 0) return;
            assertTrue(Replicas.contains(partition.isr, partition.leader), what);
            var leader = image.cluster().broker(partition.leader);
            assertTrue(leader != null && !leader.fenced(), what);
            assertTrue(leader.hasOnlineDir(partition.directory(partition.leader)), what);
        }

        /** The log alone, through bytes, gives the state that the controller has. */
        void checkReplay() {
            controller.settle();
            RecordReplay replay = RecordReplay.EMPTY;
            for (Batch<ApiMessageAndVersion> batch : controller.raft.batches()) {
                List<ApiMessageAndVersion> records =
                        batch.records().stream().map(Run::throughBytes).toList();
                assertEquals(batch.records(), records);
                if (records.isEmpty()) continue;
                replay =
                        replay.replay(
                                records,
                                new MetadataProvenance(batch.lastOffset(), batch.epoch(), 0, true));
            }
            MetadataImage image = controller.image();
            assertEquals(image.topics(), replay.image().topics());
            assertEquals(image.cluster(), replay.image().cluster());
            assertEquals(image.configs(), replay.image().configs());
            assertEquals(image.features(), replay.image().features());
            assertEquals(image.offset(), replay.image().offset());
        }

        private static ApiMessageAndVersion throughBytes(ApiMessageAndVersion record) {
            MetadataRecordSerde serde = MetadataRecordSerde.INSTANCE;
            ObjectSerializationCache cache = new ObjectSerializationCache();
            int size = serde.recordSize(record, cache);
            ByteBufferAccessor buffer = new ByteBufferAccessor(java.nio.ByteBuffer.allocate(size));
            serde.write(record, cache, buffer);
            buffer.flip();
            return serde.read(buffer, size);
        }
    }
}
