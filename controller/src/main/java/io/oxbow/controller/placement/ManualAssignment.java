// SPDX-License-Identifier: Apache-2.0
package io.oxbow.controller.placement;

import io.oxbow.controller.decide.Refusal;
import io.oxbow.controller.decide.Situation;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.protocol.Errors;

/** Checks the replicas that a user lists for a partition. */
public final class ManualAssignment {
    private ManualAssignment() {}

    /**
     * Says why replicas that a user lists cannot be used.
     *
     * @param replicationFactor how many there must be; -1 for any number
     */
    public static Optional<Refusal> check(
            Situation situation, List<Integer> replicas, int replicationFactor) {
        if (replicas.isEmpty()) {
            return refuse("The replica assignment has an empty list. Name at least one broker.");
        }
        Set<Integer> seen = new HashSet<>();
        for (int replica : replicas) {
            if (!seen.add(replica)) {
                return refuse(
                        "The replica assignment "
                                + replicas
                                + " names broker "
                                + replica
                                + " twice. Name each broker once.");
            }
            if (situation.image().cluster().broker(replica) == null) {
                return refuse(
                        "The replica assignment "
                                + replicas
                                + " names broker "
                                + replica
                                + ", which is not registered. Registered: "
                                + situation.image().cluster().brokers().keySet());
            }
        }
        if (replicationFactor >= 0 && replicas.size() != replicationFactor) {
            return refuse(
                    "The replica assignment "
                            + replicas
                            + " has "
                            + replicas.size()
                            + " replica(s), other partitions have "
                            + replicationFactor
                            + ". Give all partitions the same number.");
        }
        return Optional.empty();
    }

    private static Optional<Refusal> refuse(String message) {
        return Optional.of(new Refusal(Errors.INVALID_REPLICA_ASSIGNMENT, message));
    }
}
