// SPDX-License-Identifier: Apache-2.0
package io.oxbow.replication;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class EarlyBatchesTest {
    private static final long NOW = 17;
    private final EarlyBatches early = new EarlyBatches();

    @Test
    void shouldHoldLaterBatchesUntilTheFirstRefusedComesAgain() {
        early.refuse(7, (short) 0, 0, NOW);
        early.refuse(7, (short) 0, 10, NOW);
        assertTrue(early.mustWait(7, (short) 0, 20, NOW));
        assertTrue(early.mustWait(7, (short) 0, 10, NOW));
        assertFalse(early.mustWait(8, (short) 0, 20, NOW), "another producer");
        assertFalse(early.mustWait(7, (short) 0, 0, NOW));
        assertFalse(early.mustWait(7, (short) 0, 10, NOW));
    }

    @Test
    void shouldForgetABatchThatItsProducerHasGivenUp() {
        early.refuse(7, (short) 0, 5, NOW);
        assertFalse(early.mustWait(7, (short) 1, 0, NOW));
        assertFalse(early.mustWait(7, (short) 0, 9, NOW));
    }

    @Test
    void shouldForgetProducersThatNeverComeAgain() {
        early.refuse(7, (short) 0, 5, NOW);
        early.refuse(8, (short) 0, 5, NOW);
        long muchLater = NOW + TimeUnit.MINUTES.toNanos(11);
        assertFalse(early.mustWait(9, (short) 0, 1, muchLater));
        assertFalse(early.mustWait(7, (short) 0, 9, NOW), "nothing is kept");
    }

    @Test
    void shouldKeepNoMoreThanItMay() {
        for (int id = 0; id <= EarlyBatches.MOST; id++) early.refuse(id, (short) 0, 5, NOW);
        assertTrue(early.mustWait(EarlyBatches.MOST - 1, (short) 0, 9, NOW));
        assertFalse(early.mustWait(EarlyBatches.MOST, (short) 0, 9, NOW));
        early.refuse(0, (short) 0, 3, NOW);
        assertTrue(early.mustWait(0, (short) 0, 5, NOW), "one that is known may be earlier still");
    }
}
