// SPDX-License-Identifier: Apache-2.0
package io.oxbow.benchmarks.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class LatenciesTest {

    @Test
    void shouldGiveExactPercentilesOfAllThatWasAdded() {
        Latencies latencies = new Latencies();
        for (int ms = 100_000; ms >= 1; ms--) {
            latencies.add(ms * 1_000_000L);
        }

        assertEquals(50_000, latencies.percentileMs(0.5));
        assertEquals(99_000, latencies.percentileMs(0.99));
        assertEquals(100_000, latencies.percentileMs(1));
    }

    @Test
    void shouldRefuseAPercentileOfNothing() {
        assertThrows(IllegalStateException.class, () -> new Latencies().percentileMs(0.5));
    }
}
