// SPDX-License-Identifier: Apache-2.0
package io.oxbow.replication;

import io.oxbow.storage.lane.HostedLog;

/** What this broker is for a partition now; immutable, replaced as a whole. */
public sealed interface PartitionState {

    int leaderEpoch();

    /**
     * This broker leads and serves.
     *
     * @param inSyncReplicas size of the ISR, this broker included
     * @param minInSyncReplicas {@code min.insync.replicas} of the topic, at most its replicas
     */
    record Leading(HostedLog log, int leaderEpoch, int inSyncReplicas, int minInSyncReplicas)
            implements PartitionState {}

    /** Another broker leads. */
    record Following(HostedLog log, int leaderEpoch, int leaderId) implements PartitionState {}

    /** It will serve soon: its log is being recovered or made. Clients see a retriable error. */
    record Starting(int leaderEpoch) implements PartitionState {}

    /** Its directory is offline: KAFKA_STORAGE_ERROR. */
    record Offline(int leaderEpoch, String reason) implements PartitionState {}
}
