// SPDX-License-Identifier: Apache-2.0
package io.oxbow.controller.partition;

import io.oxbow.controller.decide.Situation;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.kafka.common.DirectoryId;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.metadata.LeaderConstants;
import org.apache.kafka.metadata.PartitionRegistration;
import org.apache.kafka.metadata.Replicas;
import org.apache.kafka.server.common.ApiMessageAndVersion;

/** The partitions that change when a broker or a directory comes or goes. */
public final class LeaderMoves {
    private LeaderMoves() {}

    /** The broker is fenced, shuts down or leaves: it gives up what it leads and all ISRs. */
    public static List<ApiMessageAndVersion> brokerGone(Situation situation, int brokerId) {
        return change(
                situation,
                partition -> Replicas.contains(partition.isr, brokerId),
                change -> change.without(brokerId));
    }

    /** The broker crashed and starts anew: it may lack the last records of what it had. */
    public static List<ApiMessageAndVersion> brokerCrashed(Situation situation, int brokerId) {
        return change(
                situation,
                partition ->
                        Replicas.contains(partition.isr, brokerId)
                                || Replicas.contains(partition.elr, brokerId),
                change -> change.afterCrashOf(brokerId));
    }

    /** The broker is active now: partitions without a leader may get it as theirs. */
    public static List<ApiMessageAndVersion> brokerBack(Situation situation, int brokerId) {
        return change(
                situation,
                partition ->
                        partition.leader == LeaderConstants.NO_LEADER
                                && Replicas.contains(partition.replicas, brokerId),
                change -> change.with(brokerId));
    }

    /** Directories of the broker failed: their partitions give up leadership and ISR. */
    public static List<ApiMessageAndVersion> directoriesGone(
            Situation situation, int brokerId, Set<Uuid> directories) {
        return change(
                situation,
                partition ->
                        Replicas.contains(partition.isr, brokerId)
                                && directories.contains(partition.directory(brokerId)),
                change -> change.without(brokerId));
    }

    /** Partitions without a leader whose topics allow an unclean election. */
    public static List<ApiMessageAndVersion> uncleanElections(Situation situation) {
        return change(
                situation,
                partition -> partition.leader == LeaderConstants.NO_LEADER,
                Function.identity());
    }

    /**
     * Partitions that are led by another than their first replica, which could lead.
     *
     * @param limit most records to give at once
     */
    public static List<ApiMessageAndVersion> preferredElections(Situation situation, int limit) {
        List<ApiMessageAndVersion> records = new ArrayList<>();
        PartitionScan.forEach(
                situation.image(),
                (topic, id, partition) -> {
                    int preferred = partition.preferredReplica();
                    if (records.size() >= limit
                            || partition.hasPreferredLeader()
                            || !Replicas.contains(partition.isr, preferred)
                            || !situation.isActive(preferred)) {
                        return;
                    }
                    new PartitionChange(situation, topic, id, partition)
                            .election(PartitionChange.Election.PREFERRED)
                            .record()
                            .ifPresent(records::add);
                });
        return records;
    }

    /** True if the broker leads any partition. */
    public static boolean leadsAny(MetadataImage image, int brokerId) {
        return image.topics().topicsById().values().stream()
                .anyMatch(
                        topic ->
                                topic.partitions().values().stream()
                                        .anyMatch(partition -> partition.leader == brokerId));
    }

    /** True if the broker has a replica from the time before its directories had ids. */
    public static boolean hasMigrating(MetadataImage image, int brokerId) {
        return image.topics().topicsById().values().stream()
                .anyMatch(
                        topic ->
                                topic.partitions().values().stream()
                                        .anyMatch(partition -> isMigrating(partition, brokerId)));
    }

    private static boolean isMigrating(PartitionRegistration partition, int brokerId) {
        return Replicas.contains(partition.replicas, brokerId)
                && partition.directory(brokerId).equals(DirectoryId.MIGRATING);
    }

    private static List<ApiMessageAndVersion> change(
            Situation situation,
            Predicate<PartitionRegistration> concerned,
            Function<PartitionChange, PartitionChange> wanted) {
        List<ApiMessageAndVersion> records = new ArrayList<>();
        PartitionScan.forEach(
                situation.image(),
                (topic, id, partition) -> {
                    if (!concerned.test(partition)) return;
                    PartitionChange change =
                            new PartitionChange(situation, topic, id, partition).electionAllowed();
                    wanted.apply(change).record().ifPresent(records::add);
                });
        return records;
    }
}
