// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.group;

import io.oxbow.metadata.ImageSource;
import io.oxbow.server.api.ApiHandler;
import io.oxbow.server.api.Request;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestPartition;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestTopic;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.OffsetCommitResponse;
import org.apache.kafka.common.utils.internals.BufferSupplier;
import org.apache.kafka.coordinator.group.GroupCoordinator;
import org.apache.kafka.image.TopicImage;
import org.apache.kafka.image.TopicsImage;

/**
 * OffsetCommit. Topics are named until version 9 and given by id since; the coordinator sees both.
 * What does not exist is refused here, partition by partition; the rest is committed.
 */
final class OffsetCommitHandler implements ApiHandler {
    private final GroupCoordinator coordinator;
    private final ImageSource images;

    OffsetCommitHandler(GroupCoordinator coordinator, ImageSource images) {
        this.coordinator = coordinator;
        this.images = images;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.OFFSET_COMMIT;
    }

    @Override
    public void handle(Request request) {
        GroupCall call = new GroupCall(request);
        OffsetCommitRequestData commit = (OffsetCommitRequestData) request.body();
        boolean byId = OffsetCommitResponse.useTopicIds(call.version());
        OffsetCommitResponse.Builder response = OffsetCommitResponse.newBuilder(byId);
        List<OffsetCommitRequestTopic> existing = existing(commit.topics(), byId, response);
        if (existing.isEmpty()) {
            request.reply(response.build().data());
            return;
        }
        OffsetCommitRequestData toCommit =
                new OffsetCommitRequestData()
                        .setGroupId(commit.groupId())
                        .setMemberId(commit.memberId())
                        .setGenerationIdOrMemberEpoch(commit.generationIdOrMemberEpoch())
                        .setRetentionTimeMs(commit.retentionTimeMs())
                        .setGroupInstanceId(commit.groupInstanceId())
                        .setTopics(existing);
        call.answerWith(
                coordinator.commitOffsets(call, toCommit, BufferSupplier.NO_CACHING),
                committed -> response.merge(committed).build().data());
    }

    private List<OffsetCommitRequestTopic> existing(
            List<OffsetCommitRequestTopic> topics,
            boolean byId,
            OffsetCommitResponse.Builder response) {
        TopicsImage image = images.image().topics();
        List<OffsetCommitRequestTopic> existing = new ArrayList<>();
        for (OffsetCommitRequestTopic topic : topics) {
            TopicImage known =
                    byId ? image.getTopic(topic.topicId()) : image.getTopic(topic.name());
            if (known == null) {
                refuse(topic, topic.partitions(), byId, response);
                continue;
            }
            OffsetCommitRequestTopic toCommit =
                    new OffsetCommitRequestTopic().setTopicId(known.id()).setName(known.name());
            for (OffsetCommitRequestPartition partition : topic.partitions()) {
                if (known.partitions().containsKey(partition.partitionIndex())) {
                    toCommit.partitions().add(partition);
                } else {
                    response.addPartition(
                            known.id(),
                            known.name(),
                            partition.partitionIndex(),
                            Errors.UNKNOWN_TOPIC_OR_PARTITION);
                }
            }
            if (!toCommit.partitions().isEmpty()) existing.add(toCommit);
        }
        return existing;
    }

    private static void refuse(
            OffsetCommitRequestTopic topic,
            List<OffsetCommitRequestPartition> partitions,
            boolean byId,
            OffsetCommitResponse.Builder response) {
        response.addPartitions(
                byId ? topic.topicId() : Uuid.ZERO_UUID,
                topic.name(),
                partitions,
                OffsetCommitRequestPartition::partitionIndex,
                byId ? Errors.UNKNOWN_TOPIC_ID : Errors.UNKNOWN_TOPIC_OR_PARTITION);
    }
}
