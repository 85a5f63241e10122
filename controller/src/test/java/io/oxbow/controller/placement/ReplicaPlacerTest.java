// SPDX-License-Identifier: Apache-2.0
package io.oxbow.controller.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.oxbow.controller.SimConfigRules;
import io.oxbow.controller.SimController;
import io.oxbow.controller.decide.Outcome;
import io.oxbow.controller.decide.Situation;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.image.ClusterImage;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.metadata.BrokerRegistration;
import org.apache.kafka.server.common.MetadataVersion;
import org.junit.jupiter.api.Test;

class ReplicaPlacerTest {
    private final Map<Integer, BrokerRegistration> brokers = new HashMap<>();

    private void add(int id, String rack, boolean fenced) {
        brokers.put(
                id,
                new BrokerRegistration.Builder()
                        .setId(id)
                        .setEpoch(id)
                        .setIncarnationId(new Uuid(1, id))
                        .setListeners(List.of())
                        .setSupportedFeatures(Map.of())
                        .setRack(Optional.ofNullable(rack))
                        .setFenced(fenced)
                        .setInControlledShutdown(false)
                        .setDirectories(List.of(new Uuid(2, 1000 + id)))
                        .setCordonedDirectories(List.of())
                        .build());
    }

    private Outcome<List<List<Integer>>> place(long seed, int first, int partitions, int factor) {
        MetadataImage empty = MetadataImage.EMPTY;
        MetadataImage image =
                new MetadataImage(
                        empty.provenance(),
                        empty.features(),
                        new ClusterImage(brokers, Map.of()),
                        empty.topics(),
                        empty.configs(),
                        empty.clientQuotas(),
                        empty.producerIds(),
                        empty.acls(),
                        empty.scram(),
                        empty.delegationTokens());
        Situation situation =
                new Situation(
                        image,
                        0,
                        SimController.config(MetadataVersion.latestProduction()),
                        new SimConfigRules(),
                        new Random(seed));
        return ReplicaPlacer.place(situation, first, partitions, factor);
    }

    private List<List<Integer>> placed(long seed, int first, int partitions, int factor) {
        return ((Outcome.Accepted<List<List<Integer>>>) place(seed, first, partitions, factor))
                .value();
    }

    @Property(tries = 300)
    void alwaysGivesDistinctBrokersAnActiveLeaderAndAllRacks(
            @ForAll long seed,
            @ForAll @IntRange(min = 1, max = 9) int count,
            @ForAll @IntRange(min = 1, max = 4) int racks,
            @ForAll @IntRange(min = 1, max = 5) int factor) {
        brokers.clear();
        for (int id = 0; id < count; id++) add(id, "rack" + id % racks, id > 0 && id % 3 == 0);
        if (factor > count) {
            assertInstanceOf(Outcome.Refused.class, place(seed, 0, 5, factor));
            return;
        }
        for (List<Integer> replicas : placed(seed, 3, 20, factor)) {
            assertEquals(factor, new HashSet<>(replicas).size());
            assertTrue(!brokers.get(replicas.getFirst()).fenced());
            long seen =
                    replicas.stream().map(id -> brokers.get(id).rack().get()).distinct().count();
            assertEquals(Math.min(factor, Math.min(racks, count)), seen, replicas::toString);
        }
    }

    @Test
    void shouldSpreadLeadersEvenly() {
        for (int id = 0; id < 4; id++) add(id, null, false);
        Map<Integer, Integer> leaders = new HashMap<>();
        placed(7, 0, 40, 2)
                .forEach(replicas -> leaders.merge(replicas.getFirst(), 1, Integer::sum));
        assertEquals(Map.of(0, 10, 1, 10, 2, 10, 3, 10), leaders);
    }

    @Test
    void shouldPreferActiveBrokers() {
        add(1, null, false);
        add(2, null, true);
        add(3, null, false);
        for (List<Integer> replicas : placed(1, 0, 10, 2)) {
            assertTrue(!replicas.contains(2), replicas::toString);
        }
    }

    @Test
    void shouldRefuseWhenNobodyIsActive() {
        add(1, null, true);
        Outcome<List<List<Integer>>> outcome = place(1, 0, 1, 1);
        assertTrue(
                ((Outcome.Refused<List<List<Integer>>>) outcome)
                        .refusal()
                        .message()
                        .contains("no broker is active"));
    }
}
