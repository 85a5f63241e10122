// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.broker;

import io.oxbow.replication.Partition;
import io.oxbow.replication.PartitionState;
import io.oxbow.replication.RoleListener;
import io.oxbow.server.handler.admin.ImageWaiters;

/** Requests that wait for a new topic go on when its partitions are led here. */
record WaiterRoles(ImageWaiters waiters) implements RoleListener {

    @Override
    public void changed(Partition partition, PartitionState before, PartitionState now) {
        waiters.look();
    }

    @Override
    public void released(Partition partition) {}
}
