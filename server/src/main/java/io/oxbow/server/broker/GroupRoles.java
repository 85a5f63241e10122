// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.broker;

import io.oxbow.coordination.Groups;
import io.oxbow.replication.Partition;
import io.oxbow.replication.PartitionState;
import io.oxbow.replication.PartitionState.Leading;
import io.oxbow.replication.PartitionState.Offline;
import io.oxbow.replication.RoleListener;
import org.apache.kafka.common.internals.Topic;

/** Groups are coordinated where their partition of {@code __consumer_offsets} is led. */
final class GroupRoles implements RoleListener {
    private final Groups groups;

    GroupRoles(Groups groups) {
        this.groups = groups;
    }

    @Override
    public void changed(Partition partition, PartitionState before, PartitionState now) {
        if (!coordinates(partition)) return;
        if (now instanceof Leading) {
            boolean newEpoch =
                    !(before instanceof Leading) || before.leaderEpoch() != now.leaderEpoch();
            if (newEpoch) groups.onLeading(partition.id(), now.leaderEpoch());
        } else if (before instanceof Leading) {
            // Offline at the epoch that it led: no later epoch ended it, it is just gone.
            int endedBy = now instanceof Offline ? -1 : now.leaderEpoch();
            groups.onResigned(partition.id(), endedBy);
        }
    }

    @Override
    public void released(Partition partition) {
        if (coordinates(partition)) groups.onResigned(partition.id(), -1);
    }

    private static boolean coordinates(Partition partition) {
        return partition.id().topic().equals(Topic.GROUP_METADATA_TOPIC_NAME);
    }
}
