// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.dir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.oxbow.storage.dir.PlacementPolicy.Candidate;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;

class PlacementPolicyTest {
    private static final long GB = 1L << 30;
    private static final Uuid A = new Uuid(1, 1);
    private static final Uuid B = new Uuid(2, 2);

    @Test
    void shouldPreferRoomToFewLogs() {
        // Case U05: one large log and a nearly full disk, ten tiny ones and a nearly empty disk.
        Candidate large = new Candidate(A, GB / 2, 0, 1, 0);
        Candidate tiny = new Candidate(B, 9 * GB, 9 * GB, 10, 0);
        assertEquals(Optional.of(B), PlacementPolicy.SPACE.choose(List.of(large, tiny)));
        assertEquals(Optional.of(A), PlacementPolicy.COUNT.choose(List.of(large, tiny)));
    }

    @Test
    void shouldSpreadEvenlyOverEqualDisks() {
        int[] logs = new int[3];
        for (int i = 0; i < 30; i++) {
            List<Candidate> candidates =
                    Arrays.asList(
                            new Candidate(new Uuid(0, 100), 10 * GB, 0, logs[0], 0),
                            new Candidate(new Uuid(0, 101), 10 * GB - 4096, 0, logs[1], 0),
                            new Candidate(new Uuid(0, 102), 10 * GB + 4096, 0, logs[2], 0));
            Uuid chosen = PlacementPolicy.SPACE.choose(candidates).orElseThrow();
            logs[(int) chosen.getLeastSignificantBits() - 100]++;
        }
        assertEquals(List.of(10, 10, 10), Arrays.stream(logs).boxed().toList());
    }

    @Test
    void shouldSpreadABurstOfNewLogsInProportionToRoom() {
        assertEquals(List.of(26, 24), burst(50, 10 * GB, 9 * GB - 1));
        assertEquals(List.of(25, 13, 12), burst(50, 8 * GB, 4 * GB + 1, 4 * GB));
        assertEquals(List.of(50, 0), burst(50, 10 * GB, 4 * GB));
    }

    /** How many of {@code count} logs each directory gets while the room does not change yet. */
    private static List<Integer> burst(int count, long... usable) {
        Integer[] logs = new Integer[usable.length];
        Arrays.fill(logs, 0);
        for (int i = 0; i < count; i++) {
            List<Candidate> candidates =
                    IntStream.range(0, usable.length)
                            .mapToObj(d -> new Candidate(new Uuid(0, d), usable[d], 0, logs[d], 0))
                            .toList();
            Uuid chosen = PlacementPolicy.SPACE.choose(candidates).orElseThrow();
            logs[(int) chosen.getLeastSignificantBits()]++;
        }
        return List.of(logs);
    }

    @Test
    void shouldSpareABusyDisk() {
        Candidate busy = new Candidate(A, 10 * GB, 0, 5, 100e6);
        Candidate calm = new Candidate(B, 10 * GB, 0, 6, 0);
        assertEquals(Optional.of(B), PlacementPolicy.SPACE.choose(List.of(busy, calm)));
    }

    @Test
    void shouldNotShunADiskForATrickle() {
        Candidate trickle = new Candidate(A, 10 * GB, 0, 5, 1000);
        Candidate idle = new Candidate(B, 10 * GB, 0, 6, 0);
        assertEquals(Optional.of(A), PlacementPolicy.SPACE.choose(List.of(trickle, idle)));
    }

    @Test
    void shouldCountPromisedBytesAsTaken() {
        Candidate promised = new Candidate(A, 10 * GB, 4 * GB, 3, 0);
        Candidate free = new Candidate(B, 8 * GB, 0, 3, 0);
        assertEquals(Optional.of(B), PlacementPolicy.SPACE.choose(List.of(promised, free)));
    }

    @Test
    void shouldChooseNothingFromNothing() {
        assertEquals(Optional.empty(), PlacementPolicy.SPACE.choose(List.of()));
        assertEquals(Optional.empty(), PlacementPolicy.COUNT.choose(List.of()));
    }

    @Test
    void shouldRefuseAnUnknownName() {
        assertThrows(IllegalArgumentException.class, () -> PlacementPolicy.named("random"));
    }
}
