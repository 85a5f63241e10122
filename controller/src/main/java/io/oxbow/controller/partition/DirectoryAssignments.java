// SPDX-License-Identifier: Apache-2.0
package io.oxbow.controller.partition;

import io.oxbow.controller.decide.BrokerEpochs;
import io.oxbow.controller.decide.Decision;
import io.oxbow.controller.decide.Situation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.AssignReplicasToDirsRequestData;
import org.apache.kafka.common.message.AssignReplicasToDirsResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.image.TopicImage;
import org.apache.kafka.metadata.PartitionRegistration;
import org.apache.kafka.metadata.Replicas;
import org.apache.kafka.server.common.ApiMessageAndVersion;

/**
 * Decides AssignReplicasToDirs (KIP-858): a broker says in which directories its replicas are. A
 * replica that turns out to be in a directory that is not online gives up leadership and ISR in the
 * same record.
 */
public final class DirectoryAssignments {
    private DirectoryAssignments() {}

    public static Decision<AssignReplicasToDirsResponseData> decide(
            Situation situation, AssignReplicasToDirsRequestData request) {
        AssignReplicasToDirsResponseData response = new AssignReplicasToDirsResponseData();
        if (!situation.version().isDirectoryAssignmentSupported()) {
            return Decision.reply(response.setErrorCode(Errors.UNSUPPORTED_VERSION.code()));
        }
        var stale =
                BrokerEpochs.check(situation.image(), request.brokerId(), request.brokerEpoch());
        if (stale.isPresent()) {
            return Decision.reply(response.setErrorCode(stale.get().code()));
        }
        List<ApiMessageAndVersion> records = new ArrayList<>();
        for (AssignReplicasToDirsRequestData.DirectoryData directory : request.directories()) {
            List<AssignReplicasToDirsResponseData.TopicData> topics = new ArrayList<>();
            for (AssignReplicasToDirsRequestData.TopicData topic : directory.topics()) {
                List<AssignReplicasToDirsResponseData.PartitionData> partitions = new ArrayList<>();
                for (AssignReplicasToDirsRequestData.PartitionData partition : topic.partitions()) {
                    Errors error =
                            assign(
                                    situation,
                                    topic.topicId(),
                                    partition.partitionIndex(),
                                    new Place(request.brokerId(), directory.id()),
                                    records);
                    partitions.add(
                            new AssignReplicasToDirsResponseData.PartitionData()
                                    .setPartitionIndex(partition.partitionIndex())
                                    .setErrorCode(error.code()));
                }
                topics.add(
                        new AssignReplicasToDirsResponseData.TopicData()
                                .setTopicId(topic.topicId())
                                .setPartitions(partitions));
            }
            response.directories()
                    .add(
                            new AssignReplicasToDirsResponseData.DirectoryData()
                                    .setId(directory.id())
                                    .setTopics(topics));
        }
        return Decision.divisible(records, response);
    }

    /** A directory of a broker. */
    private record Place(int brokerId, Uuid directory) {}

    private static Errors assign(
            Situation situation,
            Uuid topicId,
            int partitionId,
            Place place,
            List<ApiMessageAndVersion> records) {
        TopicImage topic = situation.image().topics().getTopic(topicId);
        if (topic == null) return Errors.UNKNOWN_TOPIC_ID;
        PartitionRegistration partition = topic.partitions().get(partitionId);
        if (partition == null) return Errors.UNKNOWN_TOPIC_OR_PARTITION;
        if (!Replicas.contains(partition.replicas, place.brokerId())) {
            return Errors.NOT_LEADER_OR_FOLLOWER;
        }
        PartitionChange change =
                new PartitionChange(situation, topic, partitionId, partition)
                        .electionAllowed()
                        .directory(place.brokerId(), place.directory());
        boolean isOnline =
                situation
                        .image()
                        .cluster()
                        .broker(place.brokerId())
                        .hasOnlineDir(place.directory());
        Optional<ApiMessageAndVersion> record =
                (isOnline ? change : change.without(place.brokerId())).record();
        record.ifPresent(records::add);
        return Errors.NONE;
    }
}
