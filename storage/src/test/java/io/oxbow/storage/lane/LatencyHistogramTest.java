// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.lane;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class LatencyHistogramTest {
    private final LatencyHistogram histogram = new LatencyHistogram();

    @Test
    void shouldTellPercentilesToAFactorOfTwo() {
        for (int i = 0; i < 98; i++) histogram.record(100_000); // 100 microseconds
        for (int i = 0; i < 2; i++) histogram.record(500_000_000);
        assertEquals(128, histogram.percentileMicros(0.5));
        assertEquals(128, histogram.percentileMicros(0.98));
        assertEquals(524_288, histogram.percentileMicros(0.99));
    }

    @Test
    void shouldKnowNothingOfNothing() {
        assertEquals(0, histogram.percentileMicros(0.99));
    }

    @Test
    void shouldForgetByAndBy() {
        for (int i = 0; i < 4; i++) histogram.record(1_000_000_000);
        for (int i = 0; i < 3; i++) histogram.decay();
        assertEquals(0, histogram.percentileMicros(0.99));
    }

    @Test
    void shouldTakeAnyDuration() {
        histogram.record(-5);
        histogram.record(0);
        assertEquals(1, histogram.percentileMicros(1));
        histogram.record(Long.MAX_VALUE);
        assertEquals(1L << 39, histogram.percentileMicros(1));
    }
}
