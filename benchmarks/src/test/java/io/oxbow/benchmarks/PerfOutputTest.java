// SPDX-License-Identifier: Apache-2.0
package io.oxbow.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PerfOutputTest {

    @Test
    void shouldTakeTheProducersSummaryAndNotItsProgress() {
        Map<String, Double> figures =
                PerfOutput.producer(
                        """
                        100 records sent, 20.0 records/sec (0.02 MB/sec), 1.0 ms avg latency, 2.0 ms max latency.
                        500 records sent, 100.5 records/sec (0.10 MB/sec), 3.25 ms avg latency, 90.00 ms max latency, 2 ms 50th, 7 ms 95th, 8 ms 99th, 9 ms 99.9th.
                        """);

        assertEquals(100.5, figures.get("records/s"));
        assertEquals(0.10, figures.get("MB/s"));
        assertEquals(8, figures.get("p99 ms"));
    }

    @Test
    void shouldTakeTheConsumersRateWithoutRebalancing() {
        Map<String, Double> figures =
                PerfOutput.consumer(
                        "2026-01-01 00:00:00:000, 2026-01-01 00:00:01:000, 95.3, 90.1, 100000,"
                                + " 94000.0, 300, 700, 136.2, 142857.1\n");

        assertEquals(142857.1, figures.get("records/s"));
        assertEquals(136.2, figures.get("MB/s"));
    }

    @Test
    void shouldFailOnOutputWithoutAResult() {
        assertThrows(IllegalStateException.class, () -> PerfOutput.producer("nothing"));
        assertThrows(IllegalStateException.class, () -> PerfOutput.consumer("nothing"));
    }

    @Test
    void shouldReadCpuTimeBehindANameWithBrackets() {
        String stat = "42 (a) b) S 1 2 3 4 5 6 7 8 9 10 150 50 0 0 20 0 1 0 5";

        assertEquals(2.0, ProcessCpu.parse(stat));
    }

    @Test
    void shouldGiveTheMedianOfEvenAndOddCounts() {
        assertEquals(new Spread(2, 1, 3), Spread.of(List.of(3.0, 1.0, 2.0)));
        assertEquals(new Spread(1.5, 1, 2), Spread.of(List.of(2.0, 1.0)));
    }
}
