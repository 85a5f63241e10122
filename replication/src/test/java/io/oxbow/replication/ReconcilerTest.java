// SPDX-License-Identifier: Apache-2.0
package io.oxbow.replication;

import static io.oxbow.replication.Images.after;
import static io.oxbow.replication.Images.config;
import static io.oxbow.replication.Images.partition;
import static io.oxbow.replication.Images.removed;
import static io.oxbow.replication.Images.topic;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.oxbow.base.file.NativeFileSystem;
import io.oxbow.base.thread.Threads;
import io.oxbow.base.time.SystemClock;
import io.oxbow.base.time.SystemScheduler;
import io.oxbow.metadata.OwnQuestions;
import io.oxbow.replication.PartitionState.Following;
import io.oxbow.replication.PartitionState.Leading;
import io.oxbow.replication.PartitionState.Offline;
import io.oxbow.replication.TopicConfigs.TopicConfig;
import io.oxbow.storage.compaction.CompactionConfig;
import io.oxbow.storage.dir.MetaProperties;
import io.oxbow.storage.dir.MetaPropertiesFormat;
import io.oxbow.storage.lane.HostedLog;
import io.oxbow.storage.lane.LogPool;
import io.oxbow.storage.lane.LogPoolConfig;
import io.oxbow.storage.lane.LogPoolListener;
import io.oxbow.storage.log.LogSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.metadata.FeatureLevelRecord;
import org.apache.kafka.common.metadata.PartitionChangeRecord;
import org.apache.kafka.common.metadata.PartitionRecord;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.server.common.MetadataVersion;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The reconciler over a real log pool of two directories. */
@Timeout(60)
class ReconcilerTest {
    private static final int ME = 1;
    private static final Uuid ORDERS = new Uuid(11, 1);
    private static final TopicPartition ORDERS_0 = new TopicPartition("orders", 0);
    private static final Uuid FIRST = new Uuid(300, 1);
    private static final Uuid SECOND = new Uuid(300, 2);

    private final PartitionTable table = new PartitionTable();
    private final RecordingRoles roles = new RecordingRoles();
    private final SystemScheduler scheduler = new SystemScheduler();

    @TempDir private Path home;
    private MetadataImage image;
    private LogPool pool;
    private DirectoryReports reports;
    private Reconciler reconciler;

    @BeforeEach
    void open() throws Exception {
        format(home.resolve("d1"), FIRST);
        format(home.resolve("d2"), SECOND);
        image =
                after(
                        MetadataImage.EMPTY,
                        new FeatureLevelRecord()
                                .setName(MetadataVersion.FEATURE_NAME)
                                .setFeatureLevel(
                                        MetadataVersion.latestProduction().featureLevel()));
        openPool();
    }

    private void openPool() {
        List<Path> directories = List.of(home.resolve("d1"), home.resolve("d2"));
        pool =
                LogPool.open(
                        new LogPoolConfig(
                                directories,
                                directories.getFirst(),
                                ME,
                                null,
                                LogSettings.DEFAULTS,
                                Set.of(),
                                "count",
                                0,
                                false,
                                1,
                                60_000,
                                300_000,
                                CompactionConfig.DEFAULTS,
                                128),
                        NativeFileSystem.INSTANCE,
                        SystemClock.INSTANCE,
                        scheduler,
                        Threads.SYSTEM,
                        new Unheard());
        reports =
                new DirectoryReports(
                        ME,
                        new OwnQuestions(
                                "broker-" + ME,
                                (context, request) -> new CompletableFuture<>(),
                                SystemClock.INSTANCE,
                                scheduler),
                        () -> 1,
                        scheduler);
        reconciler = new Reconciler(ME, pool, table, ReconcilerTest::configs, reports);
        reconciler.addListener(roles);
    }

    @AfterEach
    void close() {
        pool.close();
        scheduler.close();
    }

    @Test
    void shouldTakeOneLostReplicaOffline() throws Exception {
        show(topic("orders", ORDERS), partition(ORDERS, 0, ME, ME));
        Leading leading = assertInstanceOf(Leading.class, roles.next(Leading.class));
        reconciler.logFailed(leading.log(), "a segment is missing");
        Offline offline = assertInstanceOf(Offline.class, roles.next(Offline.class));
        assertTrue(offline.reason().contains("a segment is missing"), offline.reason());
    }

    @Test
    void shouldMakeALogAndLeadAndTellItsDirectory() throws Exception {
        show(topic("orders", ORDERS), partition(ORDERS, 0, ME, ME));

        Leading leading = assertInstanceOf(Leading.class, roles.next(Leading.class));
        assertEquals(1, leading.leaderEpoch());
        assertEquals(1, leading.inSyncReplicas());
        assertTrue(Files.isDirectory(folder(leading.log().directoryId(), "orders-0")));
        assertEquals(1, reports.pending());

        show(in(leading.log().directoryId()));
        assertEquals(0, reports.pending());
    }

    @Test
    void shouldFollowWhereAnotherBrokerLeads() throws Exception {
        show(topic("orders", ORDERS), partition(ORDERS, 0, 2, 2, ME));

        assertEquals(2, assertInstanceOf(Following.class, roles.next(Following.class)).leaderId());

        show(
                new PartitionChangeRecord()
                        .setTopicId(ORDERS)
                        .setPartitionId(0)
                        .setLeader(ME)
                        .setIsr(List.of(ME)));
        assertEquals(2, assertInstanceOf(Leading.class, roles.next(Leading.class)).leaderEpoch());
    }

    @Test
    void shouldStopLeadingItsLogWhenAnotherBrokerLeads() throws Exception {
        show(topic("orders", ORDERS), partition(ORDERS, 0, ME, ME, 2));
        HostedLog log = assertInstanceOf(Leading.class, roles.next(Leading.class)).log();
        assertTrue(log.ledSince(1));

        show(
                new PartitionChangeRecord()
                        .setTopicId(ORDERS)
                        .setPartitionId(0)
                        .setLeader(2)
                        .setIsr(List.of(2)));
        assertInstanceOf(Following.class, roles.next(Following.class));
        log.onLane(_ -> null).get(30, TimeUnit.SECONDS);
        assertFalse(log.ledSince(1));
    }

    @Test
    void shouldMakeItInTheAssignedDirectory() throws Exception {
        show(topic("orders", ORDERS), partition(ORDERS, 0, ME, ME).setDirectories(List.of(SECOND)));

        assertInstanceOf(Leading.class, roles.next(Leading.class));
        assertTrue(Files.isDirectory(home.resolve("d2").resolve("orders-0")));
        assertEquals(0, reports.pending());
    }

    @Test
    void neverMakesALogInPlaceOfOneInADirectoryThatIsNotThere() throws Exception {
        PartitionRecord elsewhere =
                partition(ORDERS, 0, ME, ME).setDirectories(List.of(new Uuid(300, 9)));
        show(topic("orders", ORDERS), elsewhere);

        assertInstanceOf(Offline.class, roles.next(Offline.class));
        assertEquals(List.of(), folders());
    }

    @Test
    void shouldServeAgainWhenTheControllerAssignsADirectoryThatIsThere() throws Exception {
        show(
                topic("orders", ORDERS),
                partition(ORDERS, 0, ME, ME).setDirectories(List.of(new Uuid(300, 9))));
        assertInstanceOf(Offline.class, roles.next(Offline.class));

        show(in(FIRST));
        assertInstanceOf(Leading.class, roles.next(Leading.class));
    }

    @Test
    void shouldGoOfflineWithItsDirectory() throws Exception {
        show(topic("orders", ORDERS), partition(ORDERS, 0, ME, ME).setDirectories(List.of(SECOND)));
        roles.next(Leading.class);

        reconciler.directoryOffline(FIRST, "d1", "gone");
        assertInstanceOf(Leading.class, table.find(ORDERS_0).state());
        reconciler.directoryOffline(SECOND, "d2", "gone");
        assertInstanceOf(Offline.class, table.find(ORDERS_0).state());
    }

    @Test
    void shouldDeleteWhatWasReleased() throws Exception {
        show(topic("orders", ORDERS), partition(ORDERS, 0, ME, ME));
        roles.next(Leading.class);
        show(removed(ORDERS));

        assertNull(table.find(ORDERS_0));
        assertNull(table.find(ORDERS, 0));
        assertNotNull(roles.released.poll(30, TimeUnit.SECONDS));
    }

    @Test
    void shouldTakeOnTheTopicsMinimumOfInSyncReplicas() throws Exception {
        show(topic("orders", ORDERS), partition(ORDERS, 0, ME, ME, 2));
        assertEquals(
                1, assertInstanceOf(Leading.class, roles.next(Leading.class)).minInSyncReplicas());

        show(config(ConfigResource.Type.TOPIC, "orders", "min.insync.replicas", "2"));
        assertEquals(
                2,
                assertInstanceOf(Leading.class, table.find(ORDERS_0).state()).minInSyncReplicas());

        show(config(ConfigResource.Type.TOPIC, "orders", "min.insync.replicas", "5"));
        assertEquals(
                2,
                assertInstanceOf(Leading.class, table.find(ORDERS_0).state()).minInSyncReplicas(),
                "never more than there are replicas");
    }

    @Test
    void shouldSetAsideLogsThatTheFirstImageDoesNotKnow() throws Exception {
        show(topic("orders", ORDERS), partition(ORDERS, 0, ME, ME));
        roles.next(Leading.class);
        pool.close();
        openPool();
        image = MetadataImage.EMPTY;
        show(topic("orders", new Uuid(12, 1)), partition(new Uuid(12, 1), 0, ME, ME));
        roles.next(Leading.class);

        assertTrue(
                folders().stream().anyMatch(name -> name.endsWith("-stray")), folders().toString());
    }

    private void show(ApiMessage... records) {
        image = after(image, records);
        reconciler.onImage(image);
    }

    private static PartitionChangeRecord in(Uuid directory) {
        return new PartitionChangeRecord()
                .setTopicId(ORDERS)
                .setPartitionId(0)
                .setDirectories(List.of(directory));
    }

    private Path folder(Uuid directory, String name) {
        return home.resolve(directory.equals(FIRST) ? "d1" : "d2").resolve(name);
    }

    private List<String> folders() throws Exception {
        try (Stream<Path> all = Files.walk(home, 2)) {
            return all.filter(path -> path.getParent().getParent().equals(home))
                    .filter(Files::isDirectory)
                    .map(path -> path.getFileName().toString())
                    .toList();
        }
    }

    private static TopicConfig configs(MetadataImage image, String topic) {
        String min =
                image.configs()
                        .configMapForResource(new ConfigResource(ConfigResource.Type.TOPIC, topic))
                        .getOrDefault("min.insync.replicas", "1");
        return new TopicConfig(LogSettings.DEFAULTS, Integer.parseInt(min));
    }

    private static void format(Path directory, Uuid id) throws Exception {
        Files.createDirectories(directory);
        Files.write(
                directory.resolve(MetaProperties.FILE_NAME),
                MetaPropertiesFormat.render(MetaProperties.fresh("cluster", ME, id)));
    }

    /** Keeps the states that partitions have taken. */
    private static final class RecordingRoles implements RoleListener {
        private final LinkedBlockingQueue<PartitionState> states = new LinkedBlockingQueue<>();
        private final LinkedBlockingQueue<Partition> released = new LinkedBlockingQueue<>();

        @Override
        public void changed(Partition partition, PartitionState before, PartitionState now) {
            states.add(now);
        }

        @Override
        public void released(Partition partition) {
            released.add(partition);
        }

        /** Waits for the next state of a kind; null if it does not come. */
        PartitionState next(Class<? extends PartitionState> kind) throws InterruptedException {
            PartitionState state;
            do {
                state = states.poll(30, TimeUnit.SECONDS);
            } while (state != null && !kind.isInstance(state));
            return state;
        }
    }

    private static final class Unheard implements LogPoolListener {
        @Override
        public void directoryOffline(Uuid directoryId, String path, String reason) {}

        @Override
        public void nothingLeft(String reason) {}
    }
}
