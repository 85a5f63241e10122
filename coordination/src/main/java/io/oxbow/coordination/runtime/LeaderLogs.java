// SPDX-License-Identifier: Apache-2.0
package io.oxbow.coordination.runtime;

import io.oxbow.replication.Partition;
import io.oxbow.replication.PartitionState;
import io.oxbow.replication.PartitionTable;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;

/** Finds the logs of the partitions that this broker leads. Any thread. */
@FunctionalInterface
public interface LeaderLogs {

    /** The log, or empty if this broker does not lead the partition now. */
    Optional<LeaderLog> find(TopicPartition partition);

    /** The partitions of a broker. */
    static LeaderLogs of(PartitionTable partitions) {
        return id -> {
            Partition partition = partitions.find(id);
            return partition != null && partition.state() instanceof PartitionState.Leading leading
                    ? Optional.of(new HostedLeaderLog(leading.log(), leading.leaderEpoch()))
                    : Optional.empty();
        };
    }
}
