// SPDX-License-Identifier: Apache-2.0
package io.oxbow.controller.partition;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.metadata.PartitionChangeRecord;
import org.apache.kafka.metadata.LeaderConstants;
import org.apache.kafka.metadata.PartitionRegistration;
import org.apache.kafka.metadata.Replicas;

/**
 * The eligible leader replicas of one partition (KIP-966): those that left an ISR smaller than
 * {@code min.insync.replicas}, in a clean way. While the ISR is below that size nothing new is
 * acknowledged with {@code acks=all}, so they have every acknowledged record and may lead.
 *
 * <p>The last known leader, kept when a partition loses its leader, is the one that is tried when
 * nobody is left who is sure to have everything. Where the cluster does not keep eligible leaders,
 * both lists are emptied. Used once, by one thread.
 */
final class EligibleLeaders {
    private final PartitionRegistration before;
    private final boolean kept;
    private final Set<Integer> excluded = new HashSet<>();
    private List<Integer> members;
    private boolean cleared;

    EligibleLeaders(PartitionRegistration before, boolean kept) {
        this.before = before;
        this.kept = kept;
        members = Replicas.toList(before.elr);
    }

    /** The broker crashed: what it has cannot be relied on. */
    void exclude(int brokerId) {
        excluded.add(brokerId);
    }

    /** Takes in who left the ISR and is still a replica, as long as it is below its minimum. */
    void follow(List<Integer> replicas, List<Integer> isr, int minIsr) {
        if (!kept || isr.size() >= minIsr) {
            members = List.of();
            return;
        }
        Set<Integer> candidates = new TreeSet<>(members);
        candidates.addAll(Replicas.toList(before.isr));
        candidates.retainAll(replicas);
        isr.forEach(candidates::remove);
        candidates.removeAll(excluded);
        members = new ArrayList<>(candidates);
    }

    /** True if the replica may lead for being eligible: only while nobody is in sync. */
    boolean mayLead(int replica, List<Integer> isr) {
        return kept && isr.isEmpty() && members.contains(replica);
    }

    /** Takes the replica out to lead; false if it is not one of these. */
    boolean take(int leader) {
        if (!members.contains(leader)) return false;
        members = members.stream().filter(member -> member != leader).toList();
        return true;
    }

    /** The last leader, if nobody else is left to try; -1 if unknown. */
    int lastKnownLeader(List<Integer> isr) {
        boolean nobodyLeft = kept && isr.isEmpty() && members.isEmpty();
        return nobodyLeft && before.lastKnownElr.length == 1 ? before.lastKnownElr[0] : -1;
    }

    /** After an unclean election none of these has anything that counts. */
    void clear() {
        members = List.of();
        cleared = true;
    }

    void write(PartitionChangeRecord record) {
        if (!kept || cleared) members = List.of();
        if (!members.equals(Replicas.toList(before.elr))) {
            record.setEligibleLeaderReplicas(members);
        }
        if (!kept) return;
        if (record.leader() == LeaderConstants.NO_LEADER && before.lastKnownElr.length == 0) {
            record.setLastKnownElr(List.of(before.leader));
        } else if (record.leader() >= 0 && before.lastKnownElr.length > 0) {
            record.setLastKnownElr(List.of());
        }
    }
}
