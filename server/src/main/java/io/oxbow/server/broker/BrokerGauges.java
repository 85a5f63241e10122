// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.broker;

import io.oxbow.replication.DirectoryReports;
import io.oxbow.replication.PartitionState;
import io.oxbow.replication.PartitionTable;
import io.oxbow.storage.lane.DirectoryStatus;
import io.oxbow.storage.lane.LogPool;
import java.util.function.Predicate;
import javax.management.ObjectName;

/** Which gauges a broker shows, and from what they are read. */
final class BrokerGauges {
    private BrokerGauges() {}

    static void show(
            BrokerMetrics metrics,
            LogPool pool,
            PartitionTable partitions,
            BrokerLifecycle lifecycle,
            DirectoryReports reports) {
        metrics.gauge(
                "kafka.server:type=KafkaServer,name=BrokerState",
                () -> (int) lifecycle.state().value());
        metrics.gauge(
                "kafka.server:type=ReplicaManager,name=PartitionCount",
                () -> partitions.all().size());
        metrics.gauge(
                "kafka.server:type=ReplicaManager,name=LeaderCount",
                () -> count(partitions, PartitionState.Leading.class::isInstance));
        metrics.gauge(
                "kafka.server:type=ReplicaManager,name=OfflineReplicaCount",
                () -> count(partitions, PartitionState.Offline.class::isInstance));
        metrics.gauge(
                "kafka.server:type=AssignmentsManager,name=QueuedReplicaToDirAssignments",
                reports::pending);
        metrics.gauge(
                "kafka.log:type=LogManager,name=OfflineLogDirectoryCount",
                () -> (int) pool.status().stream().filter(BrokerGauges::offline).count());
        for (DirectoryStatus directory : pool.status()) directory(metrics, pool, directory);
    }

    private static void directory(BrokerMetrics metrics, LogPool pool, DirectoryStatus directory) {
        String path = ObjectName.quote(directory.path().toString());
        String log = "kafka.log:type=LogManager,name=";
        metrics.gauge(
                log + "LogDirectoryOffline,logDirectory=" + path,
                () -> offline(now(pool, directory)) ? 1 : 0);
        metrics.gauge(
                log + "remainingLogsToRecover,dir=" + path,
                () -> now(pool, directory).logsToRecover());
        metrics.gauge(
                log + "remainingBytesToRecover,dir=" + path,
                () -> now(pool, directory).recoveryBytesLeft());
        metrics.gauge(log + "UsableBytes,dir=" + path, () -> now(pool, directory).usableBytes());
    }

    private static DirectoryStatus now(LogPool pool, DirectoryStatus directory) {
        return pool.status().stream()
                .filter(each -> each.path().equals(directory.path()))
                .findFirst()
                .orElse(directory);
    }

    private static boolean offline(DirectoryStatus directory) {
        return directory.state() == DirectoryStatus.State.OFFLINE;
    }

    private static int count(PartitionTable partitions, Predicate<PartitionState> wanted) {
        return (int) partitions.all().stream().filter(each -> wanted.test(each.state())).count();
    }
}
