// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.group;

import io.oxbow.metadata.ImageSource;
import io.oxbow.server.api.ApiHandler;
import io.oxbow.server.api.Request;
import org.apache.kafka.common.message.OffsetDeleteRequestData;
import org.apache.kafka.common.message.OffsetDeleteRequestData.OffsetDeleteRequestPartition;
import org.apache.kafka.common.message.OffsetDeleteRequestData.OffsetDeleteRequestTopic;
import org.apache.kafka.common.message.OffsetDeleteRequestData.OffsetDeleteRequestTopicCollection;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.OffsetDeleteResponse;
import org.apache.kafka.common.utils.internals.BufferSupplier;
import org.apache.kafka.coordinator.group.GroupCoordinator;
import org.apache.kafka.image.TopicImage;
import org.apache.kafka.image.TopicsImage;

/** OffsetDelete: offsets of partitions that a group no longer subscribes to. */
final class OffsetDeleteHandler implements ApiHandler {
    private final GroupCoordinator coordinator;
    private final ImageSource images;

    OffsetDeleteHandler(GroupCoordinator coordinator, ImageSource images) {
        this.coordinator = coordinator;
        this.images = images;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.OFFSET_DELETE;
    }

    @Override
    public void handle(Request request) {
        GroupCall call = new GroupCall(request);
        OffsetDeleteRequestData delete = (OffsetDeleteRequestData) request.body();
        OffsetDeleteResponse.Builder response = new OffsetDeleteResponse.Builder();
        OffsetDeleteRequestData existing =
                new OffsetDeleteRequestData()
                        .setGroupId(delete.groupId())
                        .setTopics(existing(delete, response));
        call.answerWith(
                coordinator.deleteOffsets(call, existing, BufferSupplier.NO_CACHING),
                deleted -> response.merge(deleted).build().data());
    }

    private OffsetDeleteRequestTopicCollection existing(
            OffsetDeleteRequestData delete, OffsetDeleteResponse.Builder response) {
        TopicsImage image = images.image().topics();
        OffsetDeleteRequestTopicCollection existing = new OffsetDeleteRequestTopicCollection();
        for (OffsetDeleteRequestTopic topic : delete.topics()) {
            TopicImage known = image.getTopic(topic.name());
            OffsetDeleteRequestTopic toDelete =
                    new OffsetDeleteRequestTopic().setName(topic.name());
            for (OffsetDeleteRequestPartition partition : topic.partitions()) {
                int index = partition.partitionIndex();
                if (known != null && known.partitions().containsKey(index)) {
                    toDelete.partitions().add(partition);
                } else {
                    response.addPartition(topic.name(), index, Errors.UNKNOWN_TOPIC_OR_PARTITION);
                }
            }
            if (!toDelete.partitions().isEmpty()) existing.add(toDelete);
        }
        return existing;
    }
}
