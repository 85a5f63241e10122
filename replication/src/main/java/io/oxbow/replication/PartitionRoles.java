// SPDX-License-Identifier: Apache-2.0
package io.oxbow.replication;

import io.oxbow.replication.PartitionState.Following;
import io.oxbow.replication.PartitionState.Leading;
import io.oxbow.replication.PartitionState.Offline;
import io.oxbow.storage.lane.HostedLog;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.ToIntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Brings a partition's state to what its latest assignment says, and tells the listeners. Every
 * method is called with the partition's lock held or takes it; none blocks: a lane completes what
 * was begun, and a completion that the metadata has overtaken changes nothing.
 */
final class PartitionRoles {
    private static final Logger log = LoggerFactory.getLogger(PartitionRoles.class);

    private final ToIntFunction<String> minInSyncReplicas;

    /** Added to at wiring, read for every change. */
    private final List<RoleListener> listeners = new CopyOnWriteArrayList<>();

    PartitionRoles(ToIntFunction<String> minInSyncReplicas) {
        this.minInSyncReplicas = minInSyncReplicas;
    }

    void addListener(RoleListener listener) {
        listeners.add(listener);
    }

    /** The log is there: take up the role of the latest assignment. */
    void takeUp(Partition partition) {
        synchronized (partition) {
            HostedLog hosted = partition.log();
            if (partition.released() || hosted == null) return;
            ReplicaAssignment wanted = partition.assignment();
            if (!wanted.leads()) {
                // Before anything that is fetched from the leader: its lane keeps the order.
                var _ = hosted.follow(wanted.leaderEpoch());
                become(partition, new Following(hosted, wanted.leaderEpoch(), wanted.leaderId()));
            } else {
                var _ =
                        hosted.lead(wanted.leaderEpoch(), wanted.soleReplica())
                                .whenComplete((done, failure) -> ledBy(partition, wanted, failure));
            }
        }
    }

    private void ledBy(Partition partition, ReplicaAssignment wanted, Throwable failure) {
        synchronized (partition) {
            // A later image may have given the role to another broker meanwhile.
            if (partition.released() || !partition.assignment().equals(wanted)) return;
            if (partition.log() == null) return;
            if (failure != null) {
                offline(partition, "leading failed: " + failure.getMessage());
                return;
            }
            become(partition, leading(partition, wanted));
        }
    }

    private Leading leading(Partition partition, ReplicaAssignment wanted) {
        return new Leading(
                partition.log(),
                wanted.leaderEpoch(),
                wanted.inSyncReplicas(),
                minInSyncReplicas(partition));
    }

    /** As in Kafka never more than there are replicas. */
    private int minInSyncReplicas(Partition partition) {
        int configured = minInSyncReplicas.applyAsInt(partition.id().topic());
        return Math.min(configured, partition.assignment().replicas());
    }

    /** The topic's {@code min.insync.replicas} may have changed. */
    void refresh(Partition partition) {
        synchronized (partition) {
            if (!(partition.state() instanceof Leading now)) return;
            int min = minInSyncReplicas(partition);
            if (min == now.minInSyncReplicas()) return;
            become(partition, new Leading(now.log(), now.leaderEpoch(), now.inSyncReplicas(), min));
        }
    }

    /** The log cannot be used: its directory is not here, or it could not be recovered. */
    void offline(Partition partition, String reason) {
        goOffline(partition, reason, Level.WARN);
    }

    /** Its whole directory has failed, which the pool has told in one line for all its logs. */
    void offlineWithDirectory(Partition partition, String reason) {
        goOffline(partition, reason, Level.DEBUG);
    }

    private void goOffline(Partition partition, String reason, Level level) {
        synchronized (partition) {
            if (partition.released()) return;
            PartitionState before = partition.state();
            partition.goOffline(reason);
            if (!(before instanceof Offline)) {
                log.atLevel(level)
                        .log("Partition {} is offline on this broker: {}", partition.id(), reason);
            }
            listeners.forEach(each -> each.changed(partition, before, partition.state()));
        }
    }

    void release(Partition partition) {
        synchronized (partition) {
            partition.release();
            listeners.forEach(each -> each.released(partition));
        }
    }

    private void become(Partition partition, PartitionState next) {
        PartitionState before = partition.state();
        if (next.equals(before)) return;
        partition.become(next);
        listeners.forEach(each -> each.changed(partition, before, next));
    }
}
