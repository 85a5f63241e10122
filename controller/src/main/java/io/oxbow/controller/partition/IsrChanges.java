// SPDX-License-Identifier: Apache-2.0
package io.oxbow.controller.partition;

import io.oxbow.controller.decide.BrokerEpochs;
import io.oxbow.controller.decide.Decision;
import io.oxbow.controller.decide.Situation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.AlterPartitionRequestData;
import org.apache.kafka.common.message.AlterPartitionRequestData.BrokerState;
import org.apache.kafka.common.message.AlterPartitionResponseData;
import org.apache.kafka.common.metadata.PartitionChangeRecord;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.image.TopicImage;
import org.apache.kafka.metadata.BrokerRegistration;
import org.apache.kafka.metadata.LeaderRecoveryState;
import org.apache.kafka.metadata.PartitionRegistration;
import org.apache.kafka.metadata.Replicas;
import org.apache.kafka.server.common.ApiMessageAndVersion;

/**
 * Decides AlterPartition: a leader says who is in sync with it (KIP-497, KIP-841, KIP-903). Only
 * the leader of the present epochs may say so, and only active brokers of the incarnation that it
 * has seen may join.
 */
public final class IsrChanges {
    private final Situation situation;
    private final int brokerId;
    private final List<ApiMessageAndVersion> records = new ArrayList<>();

    private IsrChanges(Situation situation, int brokerId) {
        this.situation = situation;
        this.brokerId = brokerId;
    }

    public static Decision<AlterPartitionResponseData> decide(
            Situation situation, AlterPartitionRequestData request) {
        AlterPartitionResponseData response = new AlterPartitionResponseData();
        var stale =
                BrokerEpochs.check(situation.image(), request.brokerId(), request.brokerEpoch());
        if (stale.isPresent()) {
            return Decision.reply(response.setErrorCode(stale.get().code()));
        }
        IsrChanges changes = new IsrChanges(situation, request.brokerId());
        for (AlterPartitionRequestData.TopicData topic : request.topics()) {
            List<AlterPartitionResponseData.PartitionData> results = new ArrayList<>();
            for (AlterPartitionRequestData.PartitionData wanted : topic.partitions()) {
                results.add(changes.decide(topic.topicId(), wanted));
            }
            response.topics()
                    .add(
                            new AlterPartitionResponseData.TopicData()
                                    .setTopicId(topic.topicId())
                                    .setPartitions(results));
        }
        return Decision.divisible(changes.records, response);
    }

    private AlterPartitionResponseData.PartitionData decide(
            Uuid topicId, AlterPartitionRequestData.PartitionData wanted) {
        AlterPartitionResponseData.PartitionData result =
                new AlterPartitionResponseData.PartitionData()
                        .setPartitionIndex(wanted.partitionIndex());
        TopicImage topic = situation.image().topics().getTopic(topicId);
        if (topic == null) return result.setErrorCode(Errors.UNKNOWN_TOPIC_ID.code());
        PartitionRegistration partition = topic.partitions().get(wanted.partitionIndex());
        if (partition == null) {
            return result.setErrorCode(Errors.UNKNOWN_TOPIC_OR_PARTITION.code());
        }
        List<Integer> isr = wanted.newIsrWithEpochs().stream().map(BrokerState::brokerId).toList();
        Errors error = check(partition, wanted, isr);
        if (error != Errors.NONE) return result.setErrorCode(error.code());

        Optional<ApiMessageAndVersion> record =
                new PartitionChange(situation, topic, wanted.partitionIndex(), partition)
                        .electionAllowed()
                        .isr(isr)
                        .recovery(LeaderRecoveryState.of(wanted.leaderRecoveryState()))
                        .record();
        record.ifPresent(records::add);
        PartitionRegistration after =
                record.map(change -> partition.merge((PartitionChangeRecord) change.message()))
                        .orElse(partition);
        if (after.leader != brokerId && after.leaderEpoch > wanted.leaderEpoch()) {
            // A reassignment is complete and its new leader another one: the asker is not it.
            return result.setErrorCode(Errors.NEW_LEADER_ELECTED.code());
        }
        return result.setLeaderId(after.leader)
                .setLeaderEpoch(after.leaderEpoch)
                .setIsr(Replicas.toList(after.isr))
                .setLeaderRecoveryState(after.leaderRecoveryState.value())
                .setPartitionEpoch(after.partitionEpoch);
    }

    private Errors check(
            PartitionRegistration partition,
            AlterPartitionRequestData.PartitionData wanted,
            List<Integer> isr) {
        if (wanted.leaderEpoch() > partition.leaderEpoch
                || wanted.partitionEpoch() > partition.partitionEpoch) {
            // The leader knows more than this controller, so this is not the controller.
            return Errors.NOT_CONTROLLER;
        }
        if (wanted.leaderEpoch() < partition.leaderEpoch) return Errors.FENCED_LEADER_EPOCH;
        if (partition.leader != brokerId) return Errors.INVALID_REQUEST;
        if (wanted.partitionEpoch() < partition.partitionEpoch) {
            return Errors.INVALID_UPDATE_VERSION;
        }
        Optional<LeaderRecoveryState> recovery =
                LeaderRecoveryState.optionalOf(wanted.leaderRecoveryState());
        boolean isRecovering =
                recovery.isPresent() && recovery.get() == LeaderRecoveryState.RECOVERING;
        if (recovery.isEmpty()
                || !Replicas.validateIsr(partition.replicas, Replicas.toArray(isr))
                || !isr.contains(partition.leader)
                || (isRecovering && isr.size() > 1)
                || (isRecovering
                        && partition.leaderRecoveryState == LeaderRecoveryState.RECOVERED)) {
            return Errors.INVALID_REQUEST;
        }
        boolean allEligible = wanted.newIsrWithEpochs().stream().allMatch(this::isEligible);
        return allEligible ? Errors.NONE : Errors.INELIGIBLE_REPLICA;
    }

    /** Active, and the very incarnation that the leader has seen (-1: it does not say). */
    private boolean isEligible(BrokerState member) {
        BrokerRegistration broker = situation.image().cluster().broker(member.brokerId());
        return broker != null
                && situation.isActive(member.brokerId())
                && (member.brokerEpoch() == -1 || member.brokerEpoch() == broker.epoch());
    }
}
