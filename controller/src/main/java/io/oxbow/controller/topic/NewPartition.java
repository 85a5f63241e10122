// SPDX-License-Identifier: Apache-2.0
package io.oxbow.controller.topic;

import io.oxbow.controller.decide.Outcome;
import io.oxbow.controller.decide.Situation;
import io.oxbow.controller.placement.DirectoryChoice;
import java.util.List;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.metadata.PartitionRecord;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.metadata.LeaderRecoveryState;
import org.apache.kafka.server.common.ApiMessageAndVersion;

/** The record of a partition that begins. */
final class NewPartition {
    private NewPartition() {}

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
}
