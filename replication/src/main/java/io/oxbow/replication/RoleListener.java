// SPDX-License-Identifier: Apache-2.0
package io.oxbow.replication;

/**
 * Hears when this broker's part in a partition changes (coordinators live with the leader). Called
 * under the partition's lock, on the loader's thread or a lane: must only post.
 */
public interface RoleListener {

    /** {@code partition.state()} was {@code before} and is now {@code now}. */
    void changed(Partition partition, PartitionState before, PartitionState now);

    /** The replica is no longer this broker's. */
    void released(Partition partition);
}
