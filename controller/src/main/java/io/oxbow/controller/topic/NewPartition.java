// SPDX-License-Identifier: Apache-2.0
package io.oxbow.controller.topic;

import io.oxbow.controller.decide.Outcome;
import io.oxbow.controller.decide.Refusal;
import io.oxbow.controller.decide.Situation;
import io.oxbow.controller.placement.DirectoryChoice;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.metadata.PartitionRecord;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.metadata.LeaderRecoveryState;
import org.apache.kafka.server.common.ApiMessageAndVersion;

/** The record of a partition that begins, and the checks of an assignment made by hand. */
public final class NewPartition {
    private NewPartition() {}

    /**
     * Says why replicas that a user lists cannot be used.
     *
     * @param replicationFactor how many there must be; -1 for any number
     */
    public static Optional<Refusal> checkManual(
            Situation situation, List<Integer> replicas, int replicationFactor) {
        if (replicas.isEmpty()) {
            return refuse("The replica assignment has an empty list. Name at least one broker.");
        }
        Set<Integer> seen = new HashSet<>();
        for (int replica : replicas) {
            if (!seen.add(replica)) {
                return refuse(
                        "The replica assignment "
                                + replicas
                                + " names broker "
                                + replica
                                + " twice. Name each broker once.");
            }
            if (situation.image().cluster().broker(replica) == null) {
                return refuse(
                        "The replica assignment "
                                + replicas
                                + " names broker "
                                + replica
                                + ", which is not registered. Registered: "
                                + situation.image().cluster().brokers().keySet());
            }
        }
        if (replicationFactor >= 0 && replicas.size() != replicationFactor) {
            return refuse(
                    "The replica assignment "
                            + replicas
                            + " has "
                            + replicas.size()
                            + " replica(s), other partitions have "
                            + replicationFactor
                            + ". Give all partitions the same number.");
        }
        return Optional.empty();
    }

    /** Its active replicas are in sync, the first of them leads; refused if none is active. */
    static Outcome<ApiMessageAndVersion> record(
            Situation situation, Uuid topicId, int partitionId, List<Integer> replicas) {
        List<Integer> isr = replicas.stream().filter(situation::isActive).toList();
        if (isr.isEmpty()) {
            return Outcome.refuse(
                    Errors.INVALID_REPLICA_ASSIGNMENT,
                    "Partition "
                            + partitionId
                            + " would have no leader: all of its brokers "
                            + replicas
                            + " are fenced or shutting down. Name one that is active.");
        }
        PartitionRecord record =
                new PartitionRecord()
                        .setTopicId(topicId)
                        .setPartitionId(partitionId)
                        .setReplicas(replicas)
                        .setIsr(isr)
                        .setRemovingReplicas(List.of())
                        .setAddingReplicas(List.of())
                        .setLeader(isr.getFirst())
                        .setLeaderRecoveryState(LeaderRecoveryState.RECOVERED.value())
                        .setLeaderEpoch(0)
                        .setPartitionEpoch(0);
        if (situation.version().isDirectoryAssignmentSupported()) {
            record.setDirectories(
                    replicas.stream()
                            .map(id -> DirectoryChoice.forBroker(situation.image().cluster(), id))
                            .toList());
        }
        return Outcome.of(
                new ApiMessageAndVersion(record, situation.version().partitionRecordVersion()));
    }

    private static Optional<Refusal> refuse(String message) {
        return Optional.of(new Refusal(Errors.INVALID_REPLICA_ASSIGNMENT, message));
    }
}
