// SPDX-License-Identifier: Apache-2.0
package io.oxbow.replication;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class EarlyBatchesTest {
    private final EarlyBatches early = new EarlyBatches();

    @Test
    void shouldHoldLaterBatchesUntilTheFirstRefusedComesAgain() {
        early.refuse(7, (short) 0, 0);
        early.refuse(7, (short) 0, 10);
        assertTrue(early.mustWait(7, (short) 0, 20));
        assertTrue(early.mustWait(7, (short) 0, 10));
        assertFalse(early.mustWait(8, (short) 0, 20), "another producer");
        assertFalse(early.mustWait(7, (short) 0, 0));
        assertFalse(early.mustWait(7, (short) 0, 10));
    }

    @Test
    void shouldForgetABatchThatItsProducerHasGivenUp() {
        early.refuse(7, (short) 0, 5);
        assertFalse(early.mustWait(7, (short) 1, 0));
        assertFalse(early.mustWait(7, (short) 0, 9));
    }
}
