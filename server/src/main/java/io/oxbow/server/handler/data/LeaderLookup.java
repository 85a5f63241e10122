// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.data;

import io.oxbow.metadata.ImageSource;
import io.oxbow.replication.EarlyBatches;
import io.oxbow.replication.Partition;
import io.oxbow.replication.PartitionState;
import io.oxbow.replication.PartitionState.Leading;
import io.oxbow.replication.PartitionTable;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.image.TopicImage;

/** Finds the log of a partition that this broker leads, or why a client cannot have it. */
final class LeaderLookup {
    private static final int ANY_EPOCH = -1;

    private final PartitionTable partitions;
    private final ImageSource images;

    LeaderLookup(PartitionTable partitions, ImageSource images) {
        this.partitions = partitions;
        this.images = images;
    }

    /**
     * What was found: a leading replica, or an error with its reason.
     *
     * @param leading null if there is an error
     * @param early of a partition that leads or is starting, else null
     */
    record Found(Leading leading, Errors error, String why, EarlyBatches early) {
        static Found error(Errors error, String why) {
            return new Found(null, error, why, null);
        }

        boolean refused() {
            return leading == null;
        }
    }

    ImageSource images() {
        return images;
    }

    /** The topic's name, or null if nothing has this id. */
    String name(Uuid topicId) {
        TopicImage topic = images.image().topics().getTopic(topicId);
        return topic == null ? null : topic.name();
    }

    /** By name. */
    Found find(String topic, int partition) {
        TopicPartition id = new TopicPartition(topic, partition);
        Partition hosted = partitions.find(id);
        if (hosted != null) return state(hosted);
        TopicImage known = images.image().topics().getTopic(topic);
        if (known == null || !known.partitions().containsKey(partition)) {
            return Found.error(
                    Errors.UNKNOWN_TOPIC_OR_PARTITION, "This cluster has no partition " + id);
        }
        return elsewhere(id);
    }

    /** By topic id. */
    Found find(Uuid topicId, int partition) {
        Partition hosted = partitions.find(topicId, partition);
        if (hosted != null) return state(hosted);
        TopicImage known = images.image().topics().getTopic(topicId);
        if (known == null) {
            return Found.error(Errors.UNKNOWN_TOPIC_ID, "This cluster has no topic " + topicId);
        }
        TopicPartition id = new TopicPartition(known.name(), partition);
        if (!known.partitions().containsKey(partition)) {
            return Found.error(
                    Errors.UNKNOWN_TOPIC_OR_PARTITION, "This cluster has no partition " + id);
        }
        return elsewhere(id);
    }

    /** By name, for a client that knows of leader epoch {@code clientEpoch} (-1: any). */
    Found find(String topic, int partition, int clientEpoch) {
        return fence(find(topic, partition), clientEpoch);
    }

    /** Refuses a client that knows of an older or newer leader than this one (KIP-320). */
    static Found fence(Found found, int clientEpoch) {
        if (found.refused() || clientEpoch == ANY_EPOCH) return found;
        int epoch = found.leading().leaderEpoch();
        if (clientEpoch == epoch) return found;
        return clientEpoch < epoch
                ? Found.error(
                        Errors.FENCED_LEADER_EPOCH,
                        "Leader epoch " + clientEpoch + " is older than " + epoch)
                : Found.error(
                        Errors.UNKNOWN_LEADER_EPOCH,
                        "Leader epoch " + clientEpoch + " is newer than " + epoch);
    }

    private static Found state(Partition hosted) {
        return switch (hosted.state()) {
            case Leading leading -> leading(leading, hosted.earlyBatches());
            case PartitionState.Following _ -> elsewhere(hosted.id());
            case PartitionState.Starting _ ->
                    new Found(
                            null,
                            Errors.NOT_LEADER_OR_FOLLOWER,
                            "The log of " + hosted.id() + " is being recovered or made",
                            hosted.earlyBatches());
            case PartitionState.Offline offline ->
                    Found.error(Errors.KAFKA_STORAGE_ERROR, offline.reason());
        };
    }

    private static Found leading(Leading leading, EarlyBatches early) {
        String why = leading.log().unavailableBecause();
        return why == null
                ? new Found(leading, Errors.NONE, null, early)
                : Found.error(Errors.KAFKA_STORAGE_ERROR, why);
    }

    private static Found elsewhere(TopicPartition id) {
        return Found.error(
                Errors.NOT_LEADER_OR_FOLLOWER, "This broker does not lead partition " + id);
    }
}
