// SPDX-License-Identifier: Apache-2.0
package io.oxbow.controller.placement;

import io.oxbow.controller.decide.Outcome;
import io.oxbow.controller.decide.Situation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.metadata.BrokerRegistration;

/**
 * Spreads replicas over racks and, within a rack, over brokers.
 *
 * <p>The leader's place goes round the racks, and round the brokers of each rack, so that
 * leaderships are even; the other replicas go to the racks that follow, so that no rack has two
 * replicas before every rack has one. Where the round begins is random, so that small topics do not
 * all lie on the first brokers. Active brokers come before fenced ones, and the first replica is
 * always an active one: a partition never starts without a leader. Brokers whose directories are
 * all cordoned get nothing.
 */
public final class ReplicaPlacer {
    private ReplicaPlacer() {}

    /**
     * Places partitions.
     *
     * @param firstPartition the id of the first; the round goes on from there
     * @return for each partition its replicas, the preferred leader first; refused with {@code
     *     INVALID_REPLICATION_FACTOR} if there are too few brokers
     */
    public static Outcome<List<List<Integer>>> place(
            Situation situation, int firstPartition, int partitions, int replicationFactor) {
        List<BrokerRegistration> usable =
                situation.image().cluster().brokers().values().stream()
                        .filter(BrokerRegistration::hasUncordonedDirs)
                        .toList();
        if (usable.stream().noneMatch(broker -> isActive(broker))) {
            return tooFew(
                    replicationFactor,
                    "no broker is active (registered, unfenced, not shutting down, with a log"
                            + " directory that is not cordoned)");
        }
        if (usable.size() < replicationFactor) {
            return tooFew(
                    replicationFactor,
                    "only "
                            + usable.size()
                            + " broker(s) are registered with a log directory that is not cordoned."
                            + " Start more brokers or ask for fewer replicas");
        }
        Racks racks = new Racks(usable, situation.random(), firstPartition);
        List<List<Integer>> placed = new ArrayList<>(partitions);
        for (int i = 0; i < partitions; i++) placed.add(racks.next(replicationFactor));
        return Outcome.of(placed);
    }

    private static boolean isActive(BrokerRegistration broker) {
        return !broker.fenced() && !broker.inControlledShutdown();
    }

    private static <T> Outcome<T> tooFew(int replicationFactor, String why) {
        return Outcome.refuse(
                Errors.INVALID_REPLICATION_FACTOR,
                "Cannot place " + replicationFactor + " replica(s) of a partition: " + why + ".");
    }

    /** The brokers of one rack, in the random order in which they take turns. */
    private static final class Rack {
        private final List<Integer> active = new ArrayList<>();
        private final List<Integer> fenced = new ArrayList<>();
        private int turn;

        /**
         * The n-th broker of this partition's turn: active ones from the turn's place on, then
         * fenced ones; -1 past the last.
         */
        int broker(int n) {
            if (n < active.size()) return active.get(Math.floorMod(turn + n, active.size()));
            int m = n - active.size();
            return m < fenced.size() ? fenced.get(Math.floorMod(turn + m, fenced.size())) : -1;
        }
    }

    /** The racks in the order in which they take turns, and whose turn it is. */
    private static final class Racks {
        private final List<Rack> racks;
        private int turn;

        Racks(List<BrokerRegistration> brokers, RandomGenerator random, int firstTurn) {
            TreeMap<String, Rack> byName = new TreeMap<>();
            for (BrokerRegistration broker : brokers) {
                Rack rack = byName.computeIfAbsent(broker.rack().orElse(""), name -> new Rack());
                (isActive(broker) ? rack.active : rack.fenced).add(broker.id());
            }
            Random shuffler = Random.from(random);
            for (Rack rack : byName.values()) {
                Collections.sort(rack.active);
                Collections.sort(rack.fenced);
                Collections.rotate(rack.active, shuffler.nextInt(rack.active.size() + 1));
                Collections.rotate(rack.fenced, shuffler.nextInt(rack.fenced.size() + 1));
            }
            racks = new ArrayList<>(byName.values());
            Collections.shuffle(racks, shuffler);
            for (int i = 0; i < firstTurn % brokers.size(); i++) pass(leaderRack());
        }

        /** The replicas of the next partition. */
        List<Integer> next(int replicationFactor) {
            int leaderRack = leaderRack();
            int[] taken = new int[racks.size()];
            List<Integer> replicas = new ArrayList<>(replicationFactor);
            for (int i = 0; replicas.size() < replicationFactor; i++) {
                int rack = (leaderRack + i) % racks.size();
                int broker = racks.get(rack).broker(taken[rack]++);
                if (broker >= 0) replicas.add(broker);
            }
            pass(leaderRack);
            return replicas;
        }

        /** The next rack in turn that has an active broker. */
        private int leaderRack() {
            int rack = turn % racks.size();
            while (racks.get(rack).active.isEmpty()) rack = (rack + 1) % racks.size();
            return rack;
        }

        private void pass(int leaderRack) {
            racks.get(leaderRack).turn++;
            turn = leaderRack + 1;
        }
    }
}
