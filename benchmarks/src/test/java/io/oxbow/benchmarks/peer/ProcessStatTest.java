// SPDX-License-Identifier: Apache-2.0
package io.oxbow.benchmarks.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class ProcessStatTest {

    @Test
    void shouldReadCpuTimeBehindANameWithBrackets() {
        String stat = "42 (a) b) S 1 2 3 4 5 6 7 8 9 10 150 50 0 0 20 0 1 0 5";

        assertEquals(2.0, ProcessStat.parseCpu(stat));
    }

    @Test
    void shouldReadResidentMemory() {
        assertEquals(
                2.0, ProcessStat.parseResident("VmPeak:\t 9999 kB\nVmRSS:\t    2048 kB\nX: 1\n"));
    }

    @Test
    void shouldCountAllButIdleAndWaitingAsBusy() {
        String stat = "cpu  100 100 100 5000 7000 100 100 200 0 0\ncpu0 1 1 1 1 1 1 1 1 0 0\n";

        assertEquals(7.0, Neighbours.busySeconds(stat));
        assertEquals(0.7, Neighbours.childSeconds("42 (a) S 1 2 3 4 5 6 7 8 9 10 1 2 30 40 0"));
    }
}
