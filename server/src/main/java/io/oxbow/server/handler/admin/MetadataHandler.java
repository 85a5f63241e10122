// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.admin;

import io.oxbow.metadata.ImageSource;
import io.oxbow.server.api.ApiHandler;
import io.oxbow.server.api.Request;
import io.oxbow.server.handler.admin.ClusterView.PartitionView;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataRequestData.MetadataRequestTopic;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseBroker;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponsePartition;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseTopic;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.TopicImage;

/**
 * Metadata (key 3): brokers, and topics by name, by id or all, from the latest image. Topics that
 * do not exist are made first where the client and the broker allow it.
 */
public final class MetadataHandler implements ApiHandler {
    private final int nodeId;
    private final String clusterId;
    private final ImageSource images;
    private final TopicCreation creation;
    private final BooleanSupplier autoCreate;

    /**
     * @param autoCreate {@code auto.create.topics.enable}
     */
    public MetadataHandler(
            int nodeId,
            String clusterId,
            ImageSource images,
            TopicCreation creation,
            BooleanSupplier autoCreate) {
        this.nodeId = nodeId;
        this.clusterId = clusterId;
        this.images = images;
        this.creation = creation;
        this.autoCreate = autoCreate;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.METADATA;
    }

    @Override
    public void handle(Request request) {
        MetadataRequestData body = (MetadataRequestData) request.body();
        short version = request.header().apiVersion();
        if (asksById(body) && version < 12) {
            request.fail(
                    Errors.INVALID_REQUEST,
                    "Metadata by topic id needs version 12, not " + version);
            return;
        }
        Map<String, Errors> missing = missing(body);
        boolean create = body.allowAutoTopicCreation() && autoCreate.getAsBoolean();
        if (missing.isEmpty() || !create) {
            request.reply(answer(request, body, missing));
            return;
        }
        request.answering(
                creation.create(request, missing.keySet()),
                (results, failure) -> {
                    if (failure == null) request.reply(answer(request, body, results));
                    else request.failed(failure);
                });
    }

    private static boolean asksById(MetadataRequestData body) {
        if (body.topics() == null) return false;
        for (MetadataRequestTopic topic : body.topics()) {
            if (byId(topic)) return true;
        }
        return false;
    }

    /** Clients that give an id leave the name null or empty. */
    private static boolean byId(MetadataRequestTopic topic) {
        return topic.name() == null || !topic.topicId().equals(Uuid.ZERO_UUID);
    }

    /** Names asked for that the image has not, with what to say of them. */
    private Map<String, Errors> missing(MetadataRequestData body) {
        Map<String, Errors> missing = new LinkedHashMap<>();
        if (body.topics() == null) return missing;
        MetadataImage image = images.image();
        for (MetadataRequestTopic topic : body.topics()) {
            String name = topic.name();
            if (byId(topic) || image.topics().getTopic(name) != null) continue;
            missing.put(
                    name,
                    Topic.isValid(name)
                            ? Errors.UNKNOWN_TOPIC_OR_PARTITION
                            : Errors.INVALID_TOPIC_EXCEPTION);
        }
        return missing;
    }

    /**
     * @param errors for names that do not exist
     */
    private MetadataResponseData answer(
            Request request, MetadataRequestData body, Map<String, Errors> errors) {
        short version = request.header().apiVersion();
        MetadataImage image = images.image();
        ClusterView view = new ClusterView(image, request.listener());
        MetadataResponseData answer =
                new MetadataResponseData()
                        .setClusterId(clusterId)
                        .setControllerId(view.controllerId(nodeId));
        for (Node node : view.aliveBrokers()) {
            answer.brokers()
                    .add(
                            new MetadataResponseBroker()
                                    .setNodeId(node.id())
                                    .setHost(node.host())
                                    .setPort(node.port())
                                    .setRack(node.rack()));
        }
        if (wantsAll(body, version)) {
            for (TopicImage topic : image.topics().topicsByName().values()) {
                answer.topics().add(known(topic, view, body, version));
            }
        } else {
            for (MetadataRequestTopic wanted : body.topics()) {
                answer.topics().add(topic(wanted, image, view, body, version, errors));
            }
        }
        if (version >= 8 && version <= 10 && body.includeClusterAuthorizedOperations()) {
            answer.setClusterAuthorizedOperations(AuthorizedOperations.CLUSTER);
        }
        return answer;
    }

    /** Version 0 has no null: there an empty list means all. */
    private static boolean wantsAll(MetadataRequestData body, short version) {
        return body.topics() == null || (version == 0 && body.topics().isEmpty());
    }

    private static MetadataResponseTopic topic(
            MetadataRequestTopic wanted,
            MetadataImage image,
            ClusterView view,
            MetadataRequestData body,
            short version,
            Map<String, Errors> errors) {
        boolean byId = byId(wanted);
        TopicImage topic =
                byId
                        ? image.topics().getTopic(wanted.topicId())
                        : image.topics().getTopic(wanted.name());
        if (topic != null) return known(topic, view, body, version);
        Errors error =
                byId
                        ? Errors.UNKNOWN_TOPIC_ID
                        : errors.getOrDefault(wanted.name(), Errors.UNKNOWN_TOPIC_OR_PARTITION);
        return new MetadataResponseTopic()
                .setErrorCode((error == Errors.NONE ? Errors.LEADER_NOT_AVAILABLE : error).code())
                .setName(byId ? null : wanted.name())
                .setTopicId(wanted.topicId())
                .setIsInternal(!byId && Topic.isInternal(wanted.name()));
    }

    private static MetadataResponseTopic known(
            TopicImage topic, ClusterView view, MetadataRequestData body, short version) {
        List<PartitionView> partitions = view.partitions(topic);
        MetadataResponseTopic answer =
                new MetadataResponseTopic()
                        .setName(topic.name())
                        .setTopicId(topic.id())
                        .setIsInternal(Topic.isInternal(topic.name()));
        if (version >= 8 && body.includeTopicAuthorizedOperations()) {
            answer.setTopicAuthorizedOperations(AuthorizedOperations.TOPIC);
        }
        for (PartitionView partition : partitions) answer.partitions().add(of(partition, version));
        return answer;
    }

    private static MetadataResponsePartition of(PartitionView partition, short version) {
        Errors error = partition.error();
        // Older clients do not know what a missing listener is.
        if (error == Errors.LISTENER_NOT_FOUND && version < 6) error = Errors.LEADER_NOT_AVAILABLE;
        return new MetadataResponsePartition()
                .setErrorCode(error.code())
                .setPartitionIndex(partition.index())
                .setLeaderId(partition.leaderId())
                .setLeaderEpoch(partition.leaderEpoch())
                .setReplicaNodes(partition.replicas())
                .setIsrNodes(partition.isr())
                .setOfflineReplicas(partition.offlineReplicas());
    }
}
