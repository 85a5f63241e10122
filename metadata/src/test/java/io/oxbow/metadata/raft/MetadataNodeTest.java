// SPDX-License-Identifier: Apache-2.0
package io.oxbow.metadata.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.oxbow.base.file.NativeFileSystem;
import io.oxbow.base.thread.Threads;
import io.oxbow.base.time.SystemClock;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.message.DescribeQuorumRequestData;
import org.apache.kafka.common.message.DescribeQuorumResponseData;
import org.apache.kafka.common.metadata.TopicRecord;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.loader.LoaderManifest;
import org.apache.kafka.image.publisher.MetadataPublisher;
import org.apache.kafka.metadata.bootstrap.BootstrapMetadata;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.raft.DynamicVoters;
import org.apache.kafka.raft.QuorumConfig;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.apache.kafka.server.common.MetadataVersion;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One node of its own over real files; nothing is listened on. */
class MetadataNodeTest {
    private static final String CLUSTER = "MkU3OEVBNTcwNTJENDM2Qk";
    private static final String DIRECTORY = "JEXY6aqzQY-32P5TStzaFg";
    private static final long PATIENCE_S = 30;

    private Path directory;
    private MetadataNode node;

    @BeforeEach
    void formattedDirectory(@TempDir Path temp) throws Exception {
        directory = temp;
        new Formatter()
                .setPrintStream(
                        new PrintStream(
                                OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8))
                .setNodeId(1)
                .setClusterId(CLUSTER)
                .setWriteBootstrapSnapshot(true)
                .setHasDynamicQuorum(true)
                .setInitialControllers(DynamicVoters.parse("1@localhost:9093:" + DIRECTORY))
                .setControllerListenerName("CONTROLLER")
                .setMetadataLogDirectory(temp.toString())
                .addDirectory(temp.toString())
                .run();
        node = open();
        append(BootstrapMetadata.fromVersion(MetadataVersion.latestProduction(), "test").records());
    }

    @AfterEach
    void stop() {
        node.close();
    }

    @Test
    void shouldLeadWithoutWaitingForAnElection() throws Exception {
        await(node.ready());

        assertEquals(OptionalInt.of(1), node.leader().leaderId());
        assertEquals(1, node.leader().epoch());
        assertNotNull(node.image());
    }

    @Test
    void shouldShowWhatWasCommitted() throws Exception {
        await(node.ready());
        AwaitedTopic publisher = new AwaitedTopic("t");
        await(node.install(List.of(publisher)));

        create("t");

        assertNotNull(await(publisher.seen).topics().getTopic("t"));
        assertNotNull(node.image().topics().getTopic("t"));
    }

    @Test
    void shouldFindItsMetadataAgainAndLeadInANewEpoch() throws Exception {
        shouldCommit("t");
        node.close();

        node = open();

        await(node.ready());
        assertNotNull(node.image().topics().getTopic("t"));
        assertEquals(2, node.leader().epoch());
    }

    @Test
    void shouldDescribeTheQuorum() throws Exception {
        await(node.ready());
        DescribeQuorumRequestData request =
                new DescribeQuorumRequestData()
                        .setTopics(
                                List.of(
                                        new DescribeQuorumRequestData.TopicData()
                                                .setTopicName("__cluster_metadata")
                                                .setPartitions(
                                                        List.of(
                                                                new DescribeQuorumRequestData
                                                                        .PartitionData()))));

        DescribeQuorumResponseData response =
                (DescribeQuorumResponseData)
                        await(node.handle("CONTROLLER", 1, (short) 2, request));

        assertEquals(0, response.errorCode());
        DescribeQuorumResponseData.PartitionData quorum =
                response.topics().getFirst().partitions().getFirst();
        assertEquals(1, quorum.leaderId());
        assertEquals(1, quorum.currentVoters().size());
        assertEquals(
                Uuid.fromString(DIRECTORY), quorum.currentVoters().getFirst().replicaDirectoryId());
    }

    @Test
    void shouldSayWhyItCannotOpen() {
        node.close();
        NativeFileSystem.INSTANCE.deleteTree(OxbowRaftLog.folder(directory));
        NativeFileSystem.INSTANCE.writeAtomically(OxbowRaftLog.folder(directory), new byte[] {1});

        RuntimeException failure = assertThrows(RuntimeException.class, this::open);

        assertTrue(failure.getMessage().contains("__cluster_metadata-0"), failure.getMessage());
    }

    private void shouldCommit(String topic) throws Exception {
        await(node.ready());
        AwaitedTopic publisher = new AwaitedTopic(topic);
        await(node.install(List.of(publisher)));
        create(topic);
        await(publisher.seen);
    }

    private void create(String topic) {
        TopicRecord record = new TopicRecord().setName(topic).setTopicId(Uuid.randomUuid());
        append(List.of(new ApiMessageAndVersion(record, (short) 0)));
    }

    /** What the controller does when it becomes active, and later. */
    private void append(List<ApiMessageAndVersion> records) {
        node.raft().prepareAppend(node.leader().epoch(), records);
        node.raft().schedulePreparedAppend();
    }

    private MetadataNode open() {
        AbstractConfig quorum =
                new AbstractConfig(
                        QuorumConfig.CONFIG_DEF,
                        Map.of("controller.quorum.bootstrap.servers", "localhost:9093"),
                        false);
        return MetadataNode.open(
                new MetadataNodeConfig(
                        1,
                        CLUSTER,
                        Uuid.fromString(DIRECTORY),
                        directory,
                        Map.of("CONTROLLER", InetSocketAddress.createUnresolved("localhost", 9093)),
                        new QuorumConfig(quorum),
                        MetadataLogLimits.DEFAULTS,
                        new MetadataNodeConfig.SnapshotPace(20 << 20, 3_600_000)),
                new RaftSurroundings(
                        NativeFileSystem.INSTANCE,
                        SystemClock.INSTANCE,
                        new RecordingScheduler(),
                        Threads.SYSTEM),
                (what, cause) -> {
                    throw new AssertionError(what, cause);
                });
    }

    private static <T> T await(CompletableFuture<T> future) throws Exception {
        return future.get(PATIENCE_S, TimeUnit.SECONDS);
    }

    /** Completes with the first image that has the topic. */
    private static final class AwaitedTopic implements MetadataPublisher {
        private final String topic;
        private final CompletableFuture<MetadataImage> seen = new CompletableFuture<>();

        AwaitedTopic(String topic) {
            this.topic = topic;
        }

        @Override
        public String name() {
            return "awaited-topic-" + topic;
        }

        @Override
        public void onMetadataUpdate(
                MetadataDelta delta, MetadataImage image, LoaderManifest manifest) {
            if (image.topics().getTopic(topic) != null) seen.complete(image);
        }

        @Override
        public void close() {}
    }
}
