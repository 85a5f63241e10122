// SPDX-License-Identifier: Apache-2.0
package io.oxbow.controller.partition;

import io.oxbow.controller.decide.Situation;
import io.oxbow.controller.placement.DirectoryChoice;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntPredicate;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.metadata.PartitionChangeRecord;
import org.apache.kafka.image.TopicImage;
import org.apache.kafka.metadata.LeaderConstants;
import org.apache.kafka.metadata.LeaderRecoveryState;
import org.apache.kafka.metadata.PartitionRegistration;
import org.apache.kafka.metadata.Replicas;
import org.apache.kafka.server.common.ApiMessageAndVersion;

/**
 * One partition on its way from what it is to what is wanted. Callers state what is wanted; {@link
 * #record} completes a reassignment that can be completed, elects a leader, keeps the eligible
 * leader replicas, and gives the record that says all that differs, or none.
 *
 * <p>What always holds for the result: a leader is a member of the ISR; the leader epoch rises when
 * the leader changes or a replica leaves; an empty ISR occurs only where eligible leader replicas
 * are kept (KIP-966), and then without a leader.
 *
 * <p>Used once, by one thread.
 */
final class PartitionChange {

    /** How far an election may go. */
    enum Election {
        /** The first replica if it can lead, else as {@link #ONLINE}. */
        PREFERRED,
        /** Keep the leader if it can lead, else another that has all records. */
        ONLINE,
        /** As {@link #ONLINE}, else any live replica: records may be lost. */
        UNCLEAN
    }

    private final Situation situation;
    private final TopicImage topic;
    private final int partitionId;
    private final PartitionRegistration before;
    private final Map<Integer, Uuid> directories = new HashMap<>();
    private final EligibleLeaders eligible;

    private Election election = Election.ONLINE;
    private IntPredicate barred = broker -> false;
    private IntPredicate alsoActive = broker -> false;
    private List<Integer> replicas;
    private List<Integer> removing;
    private List<Integer> adding;
    private List<Integer> isr;
    private LeaderRecoveryState recovery;

    PartitionChange(
            Situation situation, TopicImage topic, int partitionId, PartitionRegistration before) {
        this.situation = situation;
        this.topic = topic;
        this.partitionId = partitionId;
        this.before = before;
        replicas = Replicas.toList(before.replicas);
        removing = Replicas.toList(before.removingReplicas);
        adding = Replicas.toList(before.addingReplicas);
        isr = Replicas.toList(before.isr);
        recovery = before.leaderRecoveryState;
        eligible = new EligibleLeaders(before, situation.keepsElr());
        for (int i = 0; i < before.replicas.length; i++) {
            directories.put(before.replicas[i], before.directories[i]);
        }
    }

    PartitionChange election(Election wanted) {
        election = wanted;
        return this;
    }

    /** The widest election that the topic's configuration allows when a leader is lost. */
    PartitionChange electionAllowed() {
        return situation.allowsUnclean(topic.name()) ? election(Election.UNCLEAN) : this;
    }

    PartitionChange isr(List<Integer> wanted) {
        isr = wanted;
        return this;
    }

    PartitionChange recovery(LeaderRecoveryState wanted) {
        recovery = wanted;
        return this;
    }

    PartitionChange replicas(
            List<Integer> wanted, List<Integer> wantedRemoving, List<Integer> wantedAdding) {
        replicas = wanted;
        removing = wantedRemoving;
        adding = wantedAdding;
        return this;
    }

    PartitionChange directory(int brokerId, Uuid directory) {
        directories.put(brokerId, directory);
        return this;
    }

    /** The broker leaves the ISR and may not lead. */
    PartitionChange without(int brokerId) {
        isr = isr.stream().filter(member -> member != brokerId).toList();
        barred = broker -> broker == brokerId;
        return this;
    }

    /** The broker crashed: it leaves the ISR and what it has cannot be relied on. */
    PartitionChange afterCrashOf(int brokerId) {
        eligible.exclude(brokerId);
        return without(brokerId);
    }

    /** The broker is becoming active with these records, so it may lead. */
    PartitionChange with(int brokerId) {
        alsoActive = broker -> broker == brokerId;
        return this;
    }

    /** The record that says what differs; empty if nothing does. */
    Optional<ApiMessageAndVersion> record() {
        completeReassignment();
        eligible.follow(replicas, isr, situation.keepsElr() ? situation.minIsr(topic.name()) : 0);
        PartitionChangeRecord record =
                new PartitionChangeRecord().setTopicId(topic.id()).setPartitionId(partitionId);
        elect(record);
        if (isShrunk(replicas, before.replicas)) raiseLeaderEpoch(record);
        eligible.write(record);
        writeIsr(record);
        writeAssignment(record);
        if (recovery != before.leaderRecoveryState) record.setLeaderRecoveryState(recovery.value());
        if (isEmpty(record)) return Optional.empty();
        short version = situation.version().partitionChangeRecordVersion();
        return Optional.of(new ApiMessageAndVersion(record, version));
    }

    private void completeReassignment() {
        Reassignment reassignment = new Reassignment(replicas, removing, adding);
        reassignment
                .completed(isr)
                .ifPresent(
                        done -> {
                            replicas = done.replicas();
                            isr = done.isr();
                            removing = List.of();
                            adding = List.of();
                        });
    }

    private void elect(PartitionChangeRecord record) {
        int clean = cleanLeader();
        int last = clean == LeaderConstants.NO_LEADER ? eligible.lastKnownLeader(isr) : -1;
        boolean lastStays = replicas.contains(last) && canLead(last);
        int unclean = lastStays ? last : uncleanLeader(clean);
        int leader = unclean >= 0 ? unclean : clean;
        if (leader == before.leader) return;
        record.setLeader(leader);
        if (unclean >= 0) {
            isr = List.of(leader);
            record.setIsr(isr);
            eligible.clear();
            if (before.leaderRecoveryState != LeaderRecoveryState.RECOVERING) {
                recovery = LeaderRecoveryState.RECOVERING;
            }
        } else if (eligible.take(leader)) {
            isr = List.of(leader);
        }
    }

    private int cleanLeader() {
        if (election == Election.PREFERRED && canLeadClean(replicas.getFirst())) {
            return replicas.getFirst();
        }
        if (canLeadClean(before.leader)) return before.leader;
        for (int replica : replicas) {
            if (canLeadClean(replica)) return replica;
        }
        return LeaderConstants.NO_LEADER;
    }

    private int uncleanLeader(int clean) {
        if (clean != LeaderConstants.NO_LEADER || election != Election.UNCLEAN) return -1;
        for (int replica : replicas) {
            if (canLead(replica)) return replica;
        }
        return -1;
    }

    private boolean canLeadClean(int replica) {
        return (isr.contains(replica) || eligible.mayLead(replica, isr)) && canLead(replica);
    }

    /** Alive, not barred, and its directory is online. */
    private boolean canLead(int replica) {
        if (replica < 0 || barred.test(replica)) return false;
        if (!alsoActive.test(replica) && !situation.isActive(replica)) return false;
        Uuid directory = directories.get(replica);
        return directory == null
                || situation.image().cluster().broker(replica).hasOnlineDir(directory);
    }

    private void writeIsr(PartitionChangeRecord record) {
        boolean mayWrite = !isr.isEmpty() || situation.keepsElr();
        if (record.isr() == null && mayWrite && !isr.equals(Replicas.toList(before.isr))) {
            record.setIsr(isr);
        }
        if (situation.version().isLeaderEpochBumpRequiredOnIsrShrink()
                && record.isr() != null
                && isShrunk(record.isr(), before.isr)) {
            raiseLeaderEpoch(record);
        }
    }

    private void writeAssignment(PartitionChangeRecord record) {
        if (situation.version().isDirectoryAssignmentSupported()) {
            List<Uuid> wanted = new ArrayList<>(replicas.size());
            for (int replica : replicas) wanted.add(directoryOf(replica));
            if (!wanted.equals(Arrays.asList(before.directories))) record.setDirectories(wanted);
        }
        if (!replicas.equals(Replicas.toList(before.replicas))) record.setReplicas(replicas);
        if (!removing.equals(Replicas.toList(before.removingReplicas))) {
            record.setRemovingReplicas(removing);
        }
        if (!adding.equals(Replicas.toList(before.addingReplicas))) {
            record.setAddingReplicas(adding);
        }
    }

    private Uuid directoryOf(int replica) {
        Uuid known = directories.get(replica);
        return known != null
                ? known
                : DirectoryChoice.forBroker(situation.image().cluster(), replica);
    }

    /** A record that names the leader raises its epoch, also when it stays the same. */
    private void raiseLeaderEpoch(PartitionChangeRecord record) {
        if (record.leader() == LeaderConstants.NO_LEADER_CHANGE) record.setLeader(before.leader);
    }

    private static boolean isShrunk(List<Integer> after, int[] before) {
        for (int member : before) {
            if (!after.contains(member)) return true;
        }
        return false;
    }

    private static boolean isEmpty(PartitionChangeRecord record) {
        return record.isr() == null
                && record.eligibleLeaderReplicas() == null
                && record.lastKnownElr() == null
                && record.leader() == LeaderConstants.NO_LEADER_CHANGE
                && record.replicas() == null
                && record.removingReplicas() == null
                && record.addingReplicas() == null
                && record.leaderRecoveryState() == LeaderRecoveryState.NO_CHANGE
                && record.directories() == null;
    }
}
