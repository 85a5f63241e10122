// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.group;

import io.oxbow.metadata.ImageSource;
import io.oxbow.server.api.ApiHandler;
import io.oxbow.server.api.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.errors.CoordinatorNotAvailableException;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.message.FindCoordinatorRequestData;
import org.apache.kafka.common.message.FindCoordinatorResponseData;
import org.apache.kafka.common.message.FindCoordinatorResponseData.Coordinator;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.FindCoordinatorRequest.CoordinatorType;
import org.apache.kafka.common.requests.FindCoordinatorResponse;
import org.apache.kafka.coordinator.group.GroupCoordinator;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.TopicImage;
import org.apache.kafka.metadata.PartitionRegistration;

/**
 * FindCoordinator: the broker that leads the partition of {@code __consumer_offsets} that the group
 * hashes to. The first question makes that topic. One key until version 3, many since. There is no
 * coordinator for transactions or share groups yet. Of the first it says so at once, as
 * InitProducerId does: a retriable error would have a producer ask until {@code max.block.ms}, and
 * then not know why. Share groups get COORDINATOR_NOT_AVAILABLE, which clients retry.
 */
final class FindCoordinatorHandler implements ApiHandler {
    private static final short FIRST_SHARE_VERSION = 6;
    private static final short FIRST_BATCHED_VERSION = 4;

    private record Found(Errors error, Node node) {
        static Found error(Errors error) {
            return new Found(error, Node.noNode());
        }

        String message() {
            return error == Errors.UNSUPPORTED_VERSION
                    ? "This broker has no transaction coordinator yet."
                    : error.message();
        }
    }

    private final GroupCoordinator coordinator;
    private final Runnable createOffsetsTopic;
    private final ImageSource images;

    /**
     * @param createOffsetsTopic asks for {@code __consumer_offsets}; does not block
     */
    FindCoordinatorHandler(
            GroupCoordinator coordinator, Runnable createOffsetsTopic, ImageSource images) {
        this.coordinator = coordinator;
        this.createOffsetsTopic = createOffsetsTopic;
        this.images = images;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.FIND_COORDINATOR;
    }

    @Override
    public void handle(Request request) {
        FindCoordinatorRequestData find = (FindCoordinatorRequestData) request.body();
        if (request.header().apiVersion() < FIRST_BATCHED_VERSION) {
            Found found = find(request, find.keyType(), find.key());
            request.reply(
                    FindCoordinatorResponse.prepareOldResponse(found.error(), found.node())
                            .data()
                            .setErrorMessage(found.message()));
            return;
        }
        List<Coordinator> coordinators = new ArrayList<>();
        for (String key : find.coordinatorKeys()) {
            Found found = find(request, find.keyType(), key);
            coordinators.add(
                    FindCoordinatorResponse.prepareCoordinatorResponse(
                                    found.error(), key, found.node())
                            .setErrorMessage(found.message()));
        }
        request.reply(new FindCoordinatorResponseData().setCoordinators(coordinators));
    }

    private Found find(Request request, byte keyType, String key) {
        CoordinatorType type;
        try {
            type = CoordinatorType.forId(keyType);
        } catch (InvalidRequestException unknownType) {
            return Found.error(Errors.INVALID_REQUEST);
        }
        return switch (type) {
            case GROUP -> findGroup(request.listener(), key);
            case TRANSACTION -> Found.error(Errors.UNSUPPORTED_VERSION);
            case SHARE ->
                    Found.error(
                            request.header().apiVersion() < FIRST_SHARE_VERSION
                                    ? Errors.INVALID_REQUEST
                                    : Errors.COORDINATOR_NOT_AVAILABLE);
        };
    }

    private Found findGroup(String listener, String group) {
        MetadataImage image = images.image();
        TopicImage topic = image.topics().getTopic(Topic.GROUP_METADATA_TOPIC_NAME);
        if (topic == null) {
            createOffsetsTopic.run();
            return Found.error(Errors.COORDINATOR_NOT_AVAILABLE);
        }
        return partition(topic, group)
                .map(partition -> image.cluster().broker(partition.leader))
                .filter(broker -> !broker.fenced())
                .flatMap(broker -> broker.node(listener))
                .map(node -> new Found(Errors.NONE, node))
                .orElse(Found.error(Errors.COORDINATOR_NOT_AVAILABLE));
    }

    private Optional<PartitionRegistration> partition(TopicImage topic, String group) {
        try {
            int partition = coordinator.partitionFor(group);
            return Optional.ofNullable(topic.partitions().get(partition));
        } catch (CoordinatorNotAvailableException notStarted) {
            return Optional.empty();
        }
    }
}
