// SPDX-License-Identifier: Apache-2.0
package io.oxbow.metadata.raft;

import io.oxbow.metadata.ClockTime;
import io.oxbow.metadata.ImageSource;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.utils.internals.LogContext;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.publisher.MetadataPublisher;
import org.apache.kafka.metadata.MetadataRecordSerde;
import org.apache.kafka.raft.Endpoints;
import org.apache.kafka.raft.FileQuorumStateStore;
import org.apache.kafka.raft.KafkaRaftClient;
import org.apache.kafka.raft.LeaderAndEpoch;
import org.apache.kafka.raft.NetworkChannel;
import org.apache.kafka.raft.RaftClient;
import org.apache.kafka.raft.RaftRequest;
import org.apache.kafka.raft.RaftResponse;
import org.apache.kafka.raft.TimingWheelExpirationService;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.apache.kafka.server.common.Feature;
import org.apache.kafka.server.util.timer.SystemTimer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This node's part in the metadata quorum (KIP-500, KIP-595): a raft client over {@link
 * OxbowRaftLog}, the committed image, and snapshots.
 *
 * <p>Lifecycle: {@link #open} recovers the log and joins the quorum; a node that is its only voter
 * leads at once. {@link #close} stops cleanly; a crash costs nothing but the check of the log. Any
 * thread may call any method.
 */
public final class MetadataNode implements ImageSource, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(MetadataNode.class);
    private static final int STOP_TIMEOUT_MS = 5_000;

    private final MetadataNodeConfig config;
    private final RaftSurroundings around;
    private final Metrics metrics;
    private final SystemTimer timer;
    private final TimingWheelExpirationService expiration;
    private final RaftThread<ApiMessageAndVersion> thread;
    private final KafkaRaftClient<ApiMessageAndVersion> client;
    private final ImageLoading loading;
    private final AtomicBoolean closed = new AtomicBoolean();

    private MetadataNode(
            MetadataNodeConfig config, RaftSurroundings around, FatalListener onFatal) {
        this.config = config;
        this.around = around;
        this.metrics = new Metrics(new ClockTime(around.clock()));
        this.timer = new SystemTimer("oxbow-raft-expiry");
        this.expiration = new TimingWheelExpirationService(timer);
        this.thread = startThread(onFatal);
        this.client = thread.client();
        this.loading = new ImageLoading(config, client, new ClockTime(around.clock()), onFatal);
    }

    /**
     * Opens the metadata log of a formatted directory and joins the quorum. Blocks until the log is
     * recovered.
     *
     * @throws io.oxbow.base.error.DiskException if the directory cannot be used
     * @throws IllegalStateException if the log is incomplete; the message says what is missing
     */
    public static MetadataNode open(
            MetadataNodeConfig config, RaftSurroundings around, FatalListener onFatal) {
        return new MetadataNode(config, around, onFatal);
    }

    private RaftThread<ApiMessageAndVersion> startThread(FatalListener onFatal) {
        try {
            return RaftThread.start(around.threads(), this::openClient, onFatal);
        } catch (Throwable failure) {
            closeSupport(); // its threads would keep the process alive
            throw failure;
        }
    }

    /** On the raft thread, which owns the log from here on. */
    private KafkaRaftClient<ApiMessageAndVersion> openClient() {
        OxbowRaftLog raftLog = OxbowRaftLog.open(config.metadataDirectory(), config.log(), around);
        try {
            KafkaRaftClient<ApiMessageAndVersion> made = newClient(raftLog);
            made.initialize(
                    config.voters(),
                    new FileQuorumStateStore(
                            OxbowRaftLog.folder(config.metadataDirectory())
                                    .resolve(FileQuorumStateStore.DEFAULT_FILE_NAME)
                                    .toFile()),
                    metrics,
                    ignoredStaticVoters -> {});
            return made;
        } catch (RuntimeException failure) {
            raftLog.close();
            throw failure;
        }
    }

    private KafkaRaftClient<ApiMessageAndVersion> newClient(OxbowRaftLog raftLog) {
        return new KafkaRaftClient<>(
                OptionalInt.of(config.nodeId()),
                config.directoryId(),
                MetadataRecordSerde.INSTANCE,
                channel(),
                raftLog,
                new ClockTime(around.clock()),
                expiration,
                new LogContext("[raft node=" + config.nodeId() + "] "),
                true,
                config.clusterId(),
                config.bootstrapServers(),
                endpoints(),
                Feature.KRAFT_VERSION.supportedVersionRange(),
                config.quorum());
    }

    private NetworkChannel channel() {
        String listener = config.controllerListeners().keySet().iterator().next();
        return new LoneNodeChannel(ListenerName.normalised(listener));
    }

    private Endpoints endpoints() {
        return Endpoints.fromInetSocketAddresses(
                config.controllerListeners().entrySet().stream()
                        .collect(
                                Collectors.toMap(
                                        entry -> ListenerName.normalised(entry.getKey()),
                                        Map.Entry::getValue)));
    }

    /** The latest committed image; empty until {@link #ready}. */
    @Override
    public MetadataImage image() {
        return loading.image();
    }

    /**
     * Completes when the first image is there: everything that was committed at start. In a new
     * cluster that waits for the controller, which commits the metadata version first.
     */
    public CompletableFuture<Void> ready() {
        return loading.ready();
    }

    /**
     * Has images told to publishers, in this order, on the loader's thread; they must not block.
     * The first call to each brings the whole image. Completes when all are installed.
     */
    public CompletableFuture<Void> install(List<? extends MetadataPublisher> publishers) {
        return loading.install(publishers);
    }

    /** Stops telling a publisher. */
    public CompletableFuture<Void> remove(MetadataPublisher publisher) {
        return loading.remove(publisher);
    }

    /** The raft client, for the controller: it registers a listener and appends when it leads. */
    public RaftClient<ApiMessageAndVersion> raft() {
        return client;
    }

    /** Who leads, as far as this node knows. */
    public LeaderAndEpoch leader() {
        return client.leaderAndEpoch();
    }

    /**
     * Answers a raft request that has come in on a controller listener: Vote, BeginQuorumEpoch,
     * EndQuorumEpoch, Fetch and FetchSnapshot of the metadata topic, DescribeQuorum, AddRaftVoter,
     * RemoveRaftVoter, UpdateRaftVoter. DescribeQuorum may come from any listener.
     *
     * @param listener name of the listener that it came in by
     * @param apiVersion of the request
     * @return the response's data; errors are codes in it
     */
    public CompletableFuture<ApiMessage> handle(
            String listener, int correlationId, short apiVersion, ApiMessage request) {
        RaftRequest.Inbound inbound =
                new RaftRequest.Inbound(
                        ListenerName.normalised(listener),
                        correlationId,
                        apiVersion,
                        request,
                        around.clock().wallMs());
        return client.handle(inbound).thenApply(RaftResponse::data).toCompletableFuture();
    }

    /** Stops cleanly; the log is flushed and closed. Blocks; does nothing the second time. */
    @Override
    public void close() {
        if (closed.getAndSet(true)) return;
        loading.beginShutdown();
        thread.stop(STOP_TIMEOUT_MS);
        loading.close();
        closeSupport();
        log.info("Metadata node {} has stopped", config.nodeId());
    }

    private void closeSupport() {
        try {
            expiration.shutdown();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        timer.close();
        metrics.close();
    }
}
