// SPDX-License-Identifier: Apache-2.0
package io.oxbow.controller.placement;

import java.util.List;
import org.apache.kafka.common.DirectoryId;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.image.ClusterImage;
import org.apache.kafka.metadata.BrokerRegistration;

/**
 * The directory that the controller writes for a new replica. With one directory on the broker it
 * is that one; with several the broker chooses and reports it (AssignReplicasToDirs, KIP-858); a
 * broker that registered none (an old one) is marked as migrating.
 */
public final class DirectoryChoice {
    private DirectoryChoice() {}

    public static Uuid forBroker(ClusterImage cluster, int brokerId) {
        BrokerRegistration broker = cluster.broker(brokerId);
        if (broker == null) return DirectoryId.UNASSIGNED;
        List<Uuid> directories = broker.directories();
        return switch (directories.size()) {
            case 0 -> DirectoryId.MIGRATING;
            case 1 -> directories.getFirst();
            default -> DirectoryId.UNASSIGNED;
        };
    }
}
