// SPDX-License-Identifier: Apache-2.0
package io.oxbow.controller;

import io.oxbow.controller.decide.ControllerConfig;
import io.oxbow.metadata.ControllerGateway.RequestContext;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.BrokerHeartbeatRequestData;
import org.apache.kafka.common.message.BrokerHeartbeatResponseData;
import org.apache.kafka.common.message.BrokerRegistrationRequestData;
import org.apache.kafka.common.message.BrokerRegistrationResponseData;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableReplicaAssignment;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableReplicaAssignmentCollection;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopic;
import org.apache.kafka.common.message.CreateTopicsResponseData;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.metadata.PartitionRegistration;
import org.apache.kafka.metadata.VersionRange;
import org.apache.kafka.metadata.bootstrap.BootstrapMetadata;
import org.apache.kafka.raft.BatchReader;
import org.apache.kafka.raft.LeaderAndEpoch;
import org.apache.kafka.raft.RaftClient;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.apache.kafka.server.common.Feature;
import org.apache.kafka.server.common.MetadataVersion;
import org.apache.kafka.snapshot.SnapshotReader;

/**
 * A controller's loop over a {@link SimRaftClient}, without threads: the test's thread runs it, and
 * brokers are what the test says they are. Each step runs all events that are due.
 */
public final class SimController {
    public static final String CLUSTER = "AAAAAAAAAAAAAAAAAAAAAQ";
    static final int NODE = 1;

    final SimClock clock = new SimClock();
    final SimRaftClient raft = new SimRaftClient(NODE);
    private final ControllerLoop loop;
    private final ArrayDeque<Event> events = new ArrayDeque<>();
    private final Map<Integer, Long> epochs = new HashMap<>();

    public SimController() {
        this(MetadataVersion.latestProduction(), 0);
    }

    public SimController(MetadataVersion version, long seed) {
        RandomGenerator random = new Random(seed);
        loop = new ControllerLoop(config(version), raft, new SimConfigRules(), clock, random);
        raft.register(new Listener());
    }

    public static ControllerConfig config(MetadataVersion version) {
        Map<String, Short> levels = new HashMap<>();
        for (Feature feature : Feature.PRODUCTION_FEATURES) {
            short level = feature.defaultLevel(version);
            if (level > 0 && feature != Feature.KRAFT_VERSION) {
                levels.put(feature.featureName(), level);
            }
        }
        return new ControllerConfig(
                NODE,
                CLUSTER,
                BootstrapMetadata.fromVersions(version, levels, "test"),
                features(),
                new ControllerConfig.Topics(1, (short) 1, 1, true),
                ControllerConfig.Timing.DEFAULT);
    }

    static Map<String, VersionRange> features() {
        Map<String, VersionRange> features = new HashMap<>();
        features.put(
                MetadataVersion.FEATURE_NAME,
                VersionRange.of(
                        MetadataVersion.MINIMUM_VERSION.featureLevel(),
                        MetadataVersion.latestProduction().featureLevel()));
        for (Feature feature : Feature.PRODUCTION_FEATURES) {
            features.put(
                    feature.featureName(),
                    VersionRange.of(feature.minimumProduction(), feature.latestProduction()));
        }
        return features;
    }

    /** An active controller, committed bootstrap, with these brokers active. */
    public static SimController withBrokers(int... brokers) {
        SimController controller = new SimController();
        controller.raft.becomeLeader(1);
        controller.settle();
        for (int broker : brokers) controller.start(broker, directory(broker, 0));
        return controller;
    }

    public static Uuid directory(int broker, int index) {
        return new Uuid(1000 + broker, 1000 + index);
    }

    /** Runs what is due, commits, and runs what follows from it. */
    public void settle() {
        run();
        while (raft.uncommittedAppends() > 0) {
            raft.commit();
            run();
        }
    }

    /** Runs what is due; nothing is committed. */
    void run() {
        while (!events.isEmpty()) loop.handle(events.pollFirst());
        loop.flush();
    }

    void tickAfter(long ms) {
        clock.advanceMs(ms);
        events.add(new Event.Tick());
        settle();
    }

    /** Asks; the reply comes when it is committed. */
    public CompletableFuture<ApiMessage> ask(ApiMessage request) {
        CompletableFuture<ApiMessage> future = new CompletableFuture<>();
        RequestContext context =
                new RequestContext(
                        "User:test",
                        "test",
                        request.highestSupportedVersion(),
                        clock.nanos() + TimeUnit.SECONDS.toNanos(30));
        events.add(new Event.Request(context, request, future));
        return future;
    }

    /** Asks and waits for the commit. */
    @SuppressWarnings("TypeParameterUnusedInFormals") // the test knows which reply it gets
    public <T extends ApiMessage> T send(ApiMessage request) {
        CompletableFuture<ApiMessage> future = ask(request);
        settle();
        // The cast is checked by the assignment at the caller's.
        @SuppressWarnings("unchecked")
        T reply = (T) future.join();
        return reply;
    }

    public MetadataImage image() {
        return loop.committedImage();
    }

    MetadataImage working() {
        return loop.workingImage();
    }

    boolean isActive() {
        return loop.isActive();
    }

    ControllerLoop loop() {
        return loop;
    }

    public List<ApiMessageAndVersion> records() {
        return raft.records();
    }

    public BrokerRegistrationRequestData registration(int broker, Uuid... directories) {
        BrokerRegistrationRequestData request =
                new BrokerRegistrationRequestData()
                        .setBrokerId(broker)
                        .setClusterId(CLUSTER)
                        .setIncarnationId(Uuid.randomUuid())
                        .setPreviousBrokerEpoch(epochs.getOrDefault(broker, -1L))
                        .setLogDirs(Arrays.asList(directories));
        request.listeners()
                .add(
                        new BrokerRegistrationRequestData.Listener()
                                .setName("PLAINTEXT")
                                .setHost("localhost")
                                .setPort(9092));
        features()
                .forEach(
                        (name, range) ->
                                request.features()
                                        .add(
                                                new BrokerRegistrationRequestData.Feature()
                                                        .setName(name)
                                                        .setMinSupportedVersion(range.min())
                                                        .setMaxSupportedVersion(range.max())));
        return request;
    }

    public BrokerRegistrationResponseData register(BrokerRegistrationRequestData request) {
        BrokerRegistrationResponseData reply = send(request);
        if (reply.errorCode() == 0) epochs.put(request.brokerId(), reply.brokerEpoch());
        return reply;
    }

    public BrokerHeartbeatRequestData heartbeatOf(int broker) {
        return new BrokerHeartbeatRequestData()
                .setBrokerId(broker)
                .setBrokerEpoch(epochs.get(broker))
                .setCurrentMetadataOffset(raft.logEndOffset() - 1);
    }

    public BrokerHeartbeatResponseData heartbeat(int broker) {
        return send(heartbeatOf(broker));
    }

    public long epoch(int broker) {
        return epochs.get(broker);
    }

    /** Registers a broker and unfences it. */
    public void start(int broker, Uuid... directories) {
        register(registration(broker, directories));
        heartbeat(broker);
    }

    /** Creates a topic whose partitions have these replicas. */
    public Uuid createTopic(String name, List<List<Integer>> replicas) {
        CreatableReplicaAssignmentCollection assignments =
                new CreatableReplicaAssignmentCollection();
        for (int i = 0; i < replicas.size(); i++) {
            assignments.add(
                    new CreatableReplicaAssignment()
                            .setPartitionIndex(i)
                            .setBrokerIds(replicas.get(i)));
        }
        CreateTopicsResponseData reply =
                send(
                        createRequest(
                                new CreatableTopic()
                                        .setName(name)
                                        .setNumPartitions(-1)
                                        .setReplicationFactor((short) -1)
                                        .setAssignments(assignments)));
        return reply.topics().find(name).topicId();
    }

    public static CreateTopicsRequestData createRequest(CreatableTopic... topics) {
        CreateTopicsRequestData request = new CreateTopicsRequestData();
        for (CreatableTopic topic : topics) request.topics().add(topic);
        return request;
    }

    public PartitionRegistration partition(String topic, int partition) {
        return image().topics().getTopic(topic).partitions().get(partition);
    }

    private final class Listener implements RaftClient.Listener<ApiMessageAndVersion> {
        @Override
        public void handleCommit(BatchReader<ApiMessageAndVersion> reader) {
            events.add(new Event.Commit(reader));
        }

        @Override
        public void handleLoadSnapshot(SnapshotReader<ApiMessageAndVersion> reader) {
            events.add(new Event.Snapshot(reader));
        }

        @Override
        public void handleLoadBootstrap(SnapshotReader<ApiMessageAndVersion> reader) {
            events.add(new Event.Bootstrap(reader));
        }

        @Override
        public void handleLeaderChange(LeaderAndEpoch leader) {
            events.add(new Event.Leader(leader));
        }
    }
}
