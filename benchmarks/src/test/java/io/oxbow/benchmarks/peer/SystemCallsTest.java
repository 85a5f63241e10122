// SPDX-License-Identifier: Apache-2.0
package io.oxbow.benchmarks.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SystemCallsTest {

    @Test
    void shouldReadTheCountsThatPerfPrints() throws IOException {
        assertEquals(
                Map.of("all", 1200.0, "futex", 17.0),
                SystemCalls.parse(
                        List.of(
                                "1200;;raw_syscalls:sys_enter;2001;100.00;;",
                                "17;;syscalls:sys_enter_futex;2001;100.00;;",
                                "")));
    }

    @Test
    void shouldSayWhatPerfSaysWhenItMayNotCount() {
        IOException failure =
                assertThrows(
                        IOException.class,
                        () -> SystemCalls.parse(List.of("Error: Access to tracing is limited.")));
        assertEquals(
                "perf counts no system calls: [Error: Access to tracing is limited.]",
                failure.getMessage());
    }
}
