// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.admin;

import io.oxbow.metadata.ImageSource;
import io.oxbow.server.api.ApiHandler;
import io.oxbow.server.api.Request;
import io.oxbow.server.handler.admin.ClusterView.PartitionView;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.message.DescribeTopicPartitionsRequestData;
import org.apache.kafka.common.message.DescribeTopicPartitionsRequestData.TopicRequest;
import org.apache.kafka.common.message.DescribeTopicPartitionsResponseData;
import org.apache.kafka.common.message.DescribeTopicPartitionsResponseData.Cursor;
import org.apache.kafka.common.message.DescribeTopicPartitionsResponseData.DescribeTopicPartitionsResponsePartition;
import org.apache.kafka.common.message.DescribeTopicPartitionsResponseData.DescribeTopicPartitionsResponseTopic;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.TopicImage;

/**
 * DescribeTopicPartitions (key 75, KIP-966): topics in the order of their names, a limited number
 * of partitions per answer, and a cursor to go on from.
 */
public final class DescribeTopicPartitionsHandler implements ApiHandler {
    private final ImageSource images;
    private final int maxPartitions;

    /**
     * @param maxPartitions {@code max.request.partition.size.limit}
     */
    public DescribeTopicPartitionsHandler(ImageSource images, int maxPartitions) {
        this.images = images;
        this.maxPartitions = maxPartitions;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.DESCRIBE_TOPIC_PARTITIONS;
    }

    @Override
    public void handle(Request request) {
        DescribeTopicPartitionsRequestData body =
                (DescribeTopicPartitionsRequestData) request.body();
        var cursor = body.cursor();
        if (cursor != null && cursor.partitionIndex() < 0) {
            request.fail(
                    Errors.INVALID_REQUEST,
                    "The cursor's partition index is " + cursor.partitionIndex());
            return;
        }
        MetadataImage image = images.image();
        NavigableSet<String> names = new TreeSet<>();
        if (body.topics().isEmpty()) names.addAll(image.topics().topicsByName().keySet());
        else for (TopicRequest topic : body.topics()) names.add(topic.name());
        int firstIndex = 0;
        if (cursor != null) {
            names = names.tailSet(cursor.topicName(), true);
            if (names.contains(cursor.topicName())) firstIndex = cursor.partitionIndex();
        }
        int limit = Math.max(1, Math.min(maxPartitions, body.responsePartitionLimit()));
        request.reply(page(image, names, firstIndex, limit, request.listener()));
    }

    private static DescribeTopicPartitionsResponseData page(
            MetadataImage image,
            NavigableSet<String> names,
            int firstIndex,
            int limit,
            String listener) {
        ClusterView view = new ClusterView(image, listener);
        DescribeTopicPartitionsResponseData answer = new DescribeTopicPartitionsResponseData();
        int left = limit;
        int from = firstIndex;
        for (String name : names) {
            if (left == 0) {
                answer.setNextCursor(new Cursor().setTopicName(name).setPartitionIndex(0));
                return answer;
            }
            DescribeTopicPartitionsResponseTopic topic = topic(name, image);
            answer.topics().add(topic);
            TopicImage known = image.topics().getTopic(name);
            if (known == null) continue;
            for (PartitionView partition : view.partitions(known)) {
                if (partition.index() < from) continue;
                if (left == 0) {
                    answer.setNextCursor(
                            new Cursor().setTopicName(name).setPartitionIndex(partition.index()));
                    return answer;
                }
                topic.partitions().add(of(partition));
                left--;
            }
            from = 0;
        }
        return answer;
    }

    private static DescribeTopicPartitionsResponseTopic topic(String name, MetadataImage image) {
        TopicImage topic = image.topics().getTopic(name);
        DescribeTopicPartitionsResponseTopic answer =
                new DescribeTopicPartitionsResponseTopic()
                        .setName(name)
                        .setIsInternal(Topic.isInternal(name));
        if (topic == null) {
            return answer.setErrorCode(
                    (Topic.isValid(name)
                                    ? Errors.UNKNOWN_TOPIC_OR_PARTITION
                                    : Errors.INVALID_TOPIC_EXCEPTION)
                            .code());
        }
        return answer.setTopicId(topic.id())
                .setTopicAuthorizedOperations(AuthorizedOperations.TOPIC);
    }

    private static DescribeTopicPartitionsResponsePartition of(PartitionView partition) {
        return new DescribeTopicPartitionsResponsePartition()
                .setErrorCode(partition.error().code())
                .setPartitionIndex(partition.index())
                .setLeaderId(partition.leaderId())
                .setLeaderEpoch(partition.leaderEpoch())
                .setReplicaNodes(partition.replicas())
                .setIsrNodes(partition.isr())
                .setEligibleLeaderReplicas(ClusterView.list(partition.registration().elr))
                .setLastKnownElr(ClusterView.list(partition.registration().lastKnownElr))
                .setOfflineReplicas(partition.offlineReplicas());
    }
}
