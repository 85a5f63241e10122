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
}
