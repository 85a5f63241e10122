// SPDX-License-Identifier: Apache-2.0
package io.oxbow.controller.partition;

import io.oxbow.controller.decide.Decision;
import io.oxbow.controller.decide.Refusal;
import io.oxbow.controller.decide.Situation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.message.ElectLeadersRequestData;
import org.apache.kafka.common.message.ElectLeadersResponseData;
import org.apache.kafka.common.message.ElectLeadersResponseData.PartitionResult;
import org.apache.kafka.common.message.ElectLeadersResponseData.ReplicaElectionResult;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.image.TopicImage;
import org.apache.kafka.metadata.PartitionRegistration;
import org.apache.kafka.server.common.ApiMessageAndVersion;

/**
 * Decides ElectLeaders (KIP-460): the preferred replica back in the lead, or a leader at the price
 * of records where there is none.
 */
public final class Elections {
    private final Situation situation;
    private final boolean isUnclean;
    private final List<ApiMessageAndVersion> records = new ArrayList<>();
    private final Map<String, List<PartitionResult>> results = new TreeMap<>();

    private Elections(Situation situation, boolean isUnclean) {
        this.situation = situation;
        this.isUnclean = isUnclean;
    }

    /** Without partitions all are meant, and the reply has only those where something happened. */
    public static Decision<ElectLeadersResponseData> decide(
            Situation situation, ElectLeadersRequestData request) {
        boolean isUnclean = request.electionType() == ElectionType.UNCLEAN.value;
        ElectLeadersResponseData response = new ElectLeadersResponseData();
        if (!isUnclean && request.electionType() != ElectionType.PREFERRED.value) {
            return Decision.reply(response.setErrorCode(Errors.INVALID_REQUEST.code()));
        }
        Elections elections = new Elections(situation, isUnclean);
        if (request.topicPartitions() == null) {
            elections.all();
        } else {
            for (var topic : request.topicPartitions()) {
                for (int partition : topic.partitions()) {
                    elections.add(
                            topic.topic(), partition, elections.elect(topic.topic(), partition));
                }
            }
        }
        elections.results.forEach(
                (topic, partitions) ->
                        response.replicaElectionResults()
                                .add(
                                        new ReplicaElectionResult()
                                                .setTopic(topic)
                                                .setPartitionResult(partitions)));
        return Decision.divisible(elections.records, response);
    }

    private void all() {
        PartitionScan.forEach(
                situation.image(),
                (topic, id, partition) -> {
                    Optional<Refusal> refusal = elect(topic, id, partition);
                    if (refusal.isPresent()
                            && refusal.get().error() == Errors.ELECTION_NOT_NEEDED) {
                        return;
                    }
                    add(topic.name(), id, refusal);
                });
    }

    private void add(String topic, int partition, Optional<Refusal> refusal) {
        PartitionResult result = new PartitionResult().setPartitionId(partition);
        refusal.ifPresent(why -> result.setErrorCode(why.code()).setErrorMessage(why.message()));
        results.computeIfAbsent(topic, name -> new ArrayList<>()).add(result);
    }

    private Optional<Refusal> elect(String name, int id) {
        TopicImage topic = situation.image().topics().getTopic(name);
        if (topic == null) {
            return refuse(
                    Errors.UNKNOWN_TOPIC_OR_PARTITION,
                    "There is no topic with name '" + name + "'.");
        }
        PartitionRegistration partition = topic.partitions().get(id);
        if (partition == null) {
            return refuse(
                    Errors.UNKNOWN_TOPIC_OR_PARTITION,
                    "Topic '" + name + "' has no partition " + id + ".");
        }
        return elect(topic, id, partition);
    }

    private Optional<Refusal> elect(TopicImage topic, int id, PartitionRegistration partition) {
        String what = topic.name() + "-" + id;
        if (isUnclean ? partition.hasLeader() : partition.hasPreferredLeader()) {
            return refuse(
                    Errors.ELECTION_NOT_NEEDED,
                    what
                            + " is led by broker "
                            + partition.leader
                            + (isUnclean ? "." : ", its preferred one."));
        }
        Optional<ApiMessageAndVersion> record =
                new PartitionChange(situation, topic, id, partition)
                        .election(
                                isUnclean
                                        ? PartitionChange.Election.UNCLEAN
                                        : PartitionChange.Election.PREFERRED)
                        .record();
        if (record.isPresent()) {
            records.add(record.get());
            return Optional.empty();
        }
        return isUnclean
                ? refuse(
                        Errors.ELIGIBLE_LEADERS_NOT_AVAILABLE,
                        "No replica of " + what + " is active. Start one of its brokers.")
                : refuse(
                        Errors.PREFERRED_LEADER_NOT_AVAILABLE,
                        "Broker "
                                + partition.preferredReplica()
                                + ", preferred for "
                                + what
                                + ", is not active or not in sync.");
    }

    private static Optional<Refusal> refuse(Errors error, String message) {
        return Optional.of(new Refusal(error, message));
    }
}
