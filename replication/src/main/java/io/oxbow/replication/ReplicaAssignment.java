// SPDX-License-Identifier: Apache-2.0
package io.oxbow.replication;

import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.metadata.PartitionRegistration;

/**
 * What one committed image says of a replica of this broker; immutable.
 *
 * @param directory where the metadata says it is; may be one of Kafka's reserved ids
 * @param leaderId -1 if there is no leader
 * @param replicas how many replicas the partition has
 * @param inSyncReplicas size of the ISR
 * @param leads whether this broker is the leader
 */
record ReplicaAssignment(
        TopicPartition id,
        Uuid topicId,
        Uuid directory,
        int leaderId,
        int leaderEpoch,
        int replicas,
        int inSyncReplicas,
        boolean leads) {

    /** The assignment of {@code nodeId}, or null if it has no replica of the partition. */
    static ReplicaAssignment of(
            TopicPartition id, Uuid topicId, PartitionRegistration partition, int nodeId) {
        if (partition == null) return null;
        int[] replicas = partition.replicas;
        for (int i = 0; i < replicas.length; i++) {
            if (replicas[i] != nodeId) continue;
            return new ReplicaAssignment(
                    id,
                    topicId,
                    partition.directories[i],
                    partition.leader,
                    partition.leaderEpoch,
                    replicas.length,
                    partition.isr.length,
                    partition.leader == nodeId);
        }
        return null;
    }

    /** Whether nobody else is in sync: then what is written is committed. */
    boolean soleReplica() {
        return leads && inSyncReplicas == 1;
    }
}
