// SPDX-License-Identifier: Apache-2.0
package io.oxbow.base.error;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.oxbow.base.time.Clock;
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

    @Test
    void shouldCountWhatItLeavesOutAndSayItInTheNextLine() {
        for (int line = 0; line < 50; line++) assertEquals("", allowance.take());
        for (int line = 0; line < 1234; line++) assertNull(allowance.take());
        nanos += TimeUnit.SECONDS.toNanos(5);
        assertEquals(" (and 1234 times something like it)", allowance.take());
        assertNull(allowance.take());
    }

    @Test
    void shouldSaveUpNoMoreThanABurst() {
        nanos += TimeUnit.DAYS.toNanos(1);
        for (int line = 0; line < 50; line++) assertEquals("", allowance.take());
        assertNull(allowance.take());
    }
}
