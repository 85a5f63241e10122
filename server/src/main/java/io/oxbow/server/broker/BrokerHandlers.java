// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.broker;

import io.oxbow.metadata.ImageSource;
import io.oxbow.replication.Partition;
import io.oxbow.replication.PartitionState;
import io.oxbow.server.api.ApiHandler;
import io.oxbow.server.config.BrokerConfig;
import io.oxbow.server.config.ConfigCatalog;
import io.oxbow.server.handler.admin.AclsDisabledHandler;
import io.oxbow.server.handler.admin.AlterReplicaLogDirsHandler;
import io.oxbow.server.handler.admin.DescribeClusterHandler;
import io.oxbow.server.handler.admin.DescribeConfigsHandler;
import io.oxbow.server.handler.admin.DescribeControllersHandler;
import io.oxbow.server.handler.admin.DescribeLogDirsHandler;
import io.oxbow.server.handler.admin.DescribeTopicPartitionsHandler;
import io.oxbow.server.handler.admin.Forwarding;
import io.oxbow.server.handler.admin.ForwardingHandler;
import io.oxbow.server.handler.admin.ImageHandler;
import io.oxbow.server.handler.admin.ImageWaiters;
import io.oxbow.server.handler.admin.IncrementalAlterConfigsHandler;
import io.oxbow.server.handler.admin.InitProducerIdHandler;
import io.oxbow.server.handler.admin.ListConfigResourcesHandler;
import io.oxbow.server.handler.admin.LoggerLevels;
import io.oxbow.server.handler.admin.MetadataHandler;
import io.oxbow.server.handler.admin.ProducerIds;
import io.oxbow.server.handler.admin.TopicCreation;
import io.oxbow.server.handler.admin.TopicCreation.InternalTopic;
import io.oxbow.server.handler.data.ApiVersionsHandler;
import io.oxbow.server.handler.data.DataHandlers;
import io.oxbow.server.handler.group.GroupHandlers;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.message.ApiMessageType.ListenerType;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.metadata.PartitionRegistration;

/** Which handler answers which key, on a broker's listener and on a controller's. */
final class BrokerHandlers {
    private static final long VISIBLE_WITHIN_MS = 1_000;

    private final BrokerParts parts;
    private final ImageWaiters waiters;
    private final Forwarding forwarding;
    private final LoggerLevels loggers = LogbackLevels.ofProcess();

    BrokerHandlers(BrokerParts parts, ImageWaiters waiters) {
        this.parts = parts;
        this.waiters = waiters;
        this.forwarding =
                new Forwarding(
                        parts.controller(), parts.machine().clock(), this::committedIsVisible);
    }

    /** Bounded: an image that does not come is the loader's to report. */
    private CompletableFuture<Boolean> committedIsVisible() {
        long committed = parts.metadata().raft().highWatermark().orElse(0);
        return waiters.untilOffset(committed, VISIBLE_WITHIN_MS);
    }

    /** For clients and other brokers. */
    List<ApiHandler> forBrokers(ProducerIds producerIds) {
        BrokerConfig file = parts.file();
        ImageSource images = parts.metadata();
        String clusterId = parts.pool().clusterId();
        List<ApiHandler> handlers = new ArrayList<>();
        handlers.add(
                new MetadataHandler(
                        file.nodeId(),
                        clusterId,
                        images,
                        new TopicCreation(forwarding, waiters, this::ready, internalTopics()),
                        () -> parts.live().current().getBoolean("auto.create.topics.enable")));
        handlers.add(new DescribeClusterHandler(file.nodeId(), clusterId, images));
        handlers.add(
                new DescribeTopicPartitionsHandler(
                        images, file.getInt("max.request.partition.size.limit")));
        handlers.add(new DescribeLogDirsHandler(parts.pool()));
        handlers.add(new AlterReplicaLogDirsHandler(parts.pool()));
        handlers.add(new InitProducerIdHandler(producerIds));
        handlers.add(new ListConfigResourcesHandler(images));
        handlers.addAll(configHandlers());
        handlers.addAll(ImageHandler.all(images));
        handlers.addAll(AclsDisabledHandler.all());
        handlers.addAll(ForwardingHandler.forBrokers(forwarding, parts.metadata()::handle));
        handlers.addAll(GroupHandlers.of(parts.groups(), images));
        handlers.addAll(dataHandlers());
        return withVersions(handlers, ListenerType.BROKER);
    }

    /**
     * For nodes and tools that talk to the controller.
     *
     * @param self this node's address by controller listener
     */
    List<ApiHandler> forControllers(Map<String, Node> self) {
        List<ApiHandler> handlers = new ArrayList<>();
        handlers.add(
                new DescribeControllersHandler(
                        parts.pool().clusterId(),
                        parts.metadata(),
                        self,
                        () -> parts.metadata().leader().leaderId().orElse(-1)));
        handlers.addAll(configHandlers());
        handlers.addAll(AclsDisabledHandler.all());
        handlers.addAll(ForwardingHandler.forControllers(forwarding, parts.metadata()::handle));
        return withVersions(handlers, ListenerType.CONTROLLER);
    }

    private List<ApiHandler> dataHandlers() {
        BrokerConfig file = parts.file();
        Machine machine = parts.machine();
        return DataHandlers.all(
                new DataHandlers.Ports(
                        parts.partitions(), parts.metadata(), machine.scheduler(), machine.clock()),
                new DataHandlers.Settings(
                        file.getInt("fetch.max.bytes"),
                        file.getInt("max.incremental.fetch.session.cache.slots"),
                        String.join(",", file.getList("log.cleanup.policy"))));
    }

    /** Adds the handler that tells which requests a listener serves. */
    private List<ApiHandler> withVersions(List<ApiHandler> handlers, ListenerType listener) {
        Set<ApiKeys> served = EnumSet.of(ApiKeys.API_VERSIONS);
        handlers.forEach(handler -> served.add(handler.key()));
        handlers.add(
                new ApiVersionsHandler(
                        parts.file().nodeId(),
                        parts.pool().clusterId(),
                        parts.metadata(),
                        () -> parts.metadata().raft().kraftVersion().featureLevel(),
                        listener,
                        served));
        return handlers;
    }

    /** Led by another broker, or led here and taken up: a new log is made in the background. */
    private boolean ready(Uuid topicId, int index, PartitionRegistration partition) {
        if (partition.leader != parts.file().nodeId()) return partition.hasLeader();
        Partition here = parts.partitions().find(topicId, index);
        return here != null && here.state() instanceof PartitionState.Leading;
    }

    private List<ApiHandler> configHandlers() {
        int nodeId = parts.file().nodeId();
        return List.of(
                new DescribeConfigsHandler(
                        nodeId, parts.metadata(), new ConfigCatalog(parts.file()), loggers),
                new IncrementalAlterConfigsHandler(nodeId, forwarding, loggers));
    }

    /** Internal topics have their own sizes; their settings are the coordinators'. */
    private Map<String, InternalTopic> internalTopics() {
        BrokerConfig file = parts.file();
        return Map.of(
                Topic.GROUP_METADATA_TOPIC_NAME,
                new InternalTopic(
                        file.getInt("offsets.topic.num.partitions"),
                        file.getShort("offsets.topic.replication.factor"),
                        parts.groups().coordinator().groupMetadataTopicConfigs()));
    }
}
