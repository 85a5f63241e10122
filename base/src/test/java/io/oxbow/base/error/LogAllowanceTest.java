// SPDX-License-Identifier: Apache-2.0
package io.oxbow.base.error;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.oxbow.base.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LogAllowanceTest {
    private long nanos = 17;
    private final LogAllowance allowance =
            new LogAllowance(
                    new Clock() {
                        @Override
                        public long wallMs() {
                            return 0;
                        }

                        @Override
                        public long nanos() {
                            return nanos;
                        }
                    });

    /** What was written of one line: its end, or nothing. */
    private List<String> line() {
        List<String> written = new ArrayList<>();
        allowance.line(written::add);
        return written;
    }

    @Test
    void shouldCountWhatItLeavesOutAndSayItInTheNextLine() {
        for (int line = 0; line < 50; line++) assertEquals(List.of(""), line());
        for (int line = 0; line < 1234; line++) assertEquals(List.of(), line());
        nanos += TimeUnit.SECONDS.toNanos(5);
        assertEquals(List.of(" (and 1234 times something like it)"), line());
        assertEquals(List.of(), line());
    }

    @Test
    void shouldSaveUpNoMoreThanABurst() {
        nanos += TimeUnit.DAYS.toNanos(1);
        for (int line = 0; line < 50; line++) assertEquals(List.of(""), line());
        assertEquals(List.of(), line());
    }
}
