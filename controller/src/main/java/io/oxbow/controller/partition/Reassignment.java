// SPDX-License-Identifier: Apache-2.0
package io.oxbow.controller.partition;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.metadata.PartitionRegistration;
import org.apache.kafka.metadata.Replicas;

/**
 * A move of a partition to other brokers, as its registration holds it while it goes on.
 *
 * @param replicas those of the target, in its order, then those that will be removed
 * @param removing those that leave when all of the target are in sync
 * @param adding those of the target that were not replicas before
 */
record Reassignment(List<Integer> replicas, List<Integer> removing, List<Integer> adding) {

    /** What a partition is when its move is over. */
    record Completed(List<Integer> replicas, List<Integer> isr) {}

    static Reassignment of(PartitionRegistration partition) {
        return new Reassignment(
                Replicas.toList(partition.replicas),
                Replicas.toList(partition.removingReplicas),
                Replicas.toList(partition.addingReplicas));
    }

    /**
     * The move of a partition to a target. If it moves already, those that it no longer moves to
     * are removed when the move ends, not before: they may be all that is in sync.
     */
    static Reassignment to(PartitionRegistration partition, List<Integer> target) {
        Reassignment now = of(partition);
        List<Integer> removing = new ArrayList<>(now.replicas());
        removing.removeAll(target);
        removing.sort(null);
        List<Integer> adding = new ArrayList<>(target);
        adding.removeAll(now.original());
        adding.sort(null);
        List<Integer> replicas = new ArrayList<>(target);
        replicas.addAll(removing);
        return new Reassignment(replicas, removing, adding);
    }

    static boolean isGoingOn(PartitionRegistration partition) {
        return partition.removingReplicas.length > 0 || partition.addingReplicas.length > 0;
    }

    /** The replicas before the move. */
    List<Integer> original() {
        return without(replicas, adding);
    }

    /** The replicas after the move. */
    List<Integer> target() {
        return without(replicas, removing);
    }

    /** The end of the move, if this ISR has all of the added replicas and somebody stays. */
    Optional<Completed> completed(List<Integer> isr) {
        if (removing.isEmpty() && adding.isEmpty()) return Optional.empty();
        List<Integer> target = target();
        List<Integer> targetIsr = without(isr, removing);
        if (target.isEmpty() || targetIsr.isEmpty() || !isr.containsAll(adding)) {
            return Optional.empty();
        }
        return Optional.of(new Completed(target, targetIsr));
    }

    private static List<Integer> without(List<Integer> all, List<Integer> some) {
        return all.stream().filter(replica -> !some.contains(replica)).toList();
    }
}
