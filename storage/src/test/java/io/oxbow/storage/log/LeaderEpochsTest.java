// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.junit.jupiter.api.Test;

class LeaderEpochsTest {
    private final LeaderEpochs epochs =
            LeaderEpochs.NONE.assign(1, 0).assign(3, 10).assign(4, 10).assign(7, 30);

    @Test
    void shouldReplaceAnEpochThatWroteNothing() {
        assertEquals("1@0 4@10 7@30", text(epochs));
    }

    @Test
    void shouldTellWhereEpochsEnd() {
        assertEquals(new EpochEnd(7, 42), epochs.end(7, 42));
        assertEquals(new EpochEnd(4, 30), epochs.end(4, 42));
        assertEquals(new EpochEnd(4, 30), epochs.end(6, 42));
        assertEquals(new EpochEnd(1, 10), epochs.end(2, 42));
        assertEquals(new EpochEnd(0, 0), epochs.end(0, 42));
        assertEquals(EpochEnd.NONE, epochs.end(8, 42));
        assertEquals(EpochEnd.NONE, epochs.end(-1, 42));
        assertEquals(EpochEnd.NONE, LeaderEpochs.NONE.end(0, 42));
    }

    @Test
    void shouldTellTheEpochOfAnOffset() {
        assertEquals(1, epochs.at(9));
        assertEquals(4, epochs.at(10));
        assertEquals(7, epochs.at(1000));
        assertEquals(-1, epochs.at(-1));
    }

    @Test
    void shouldForgetWhatIsTruncated() {
        assertEquals("1@0 4@10", text(epochs.truncateFromEnd(30)));
        assertEquals("1@0", text(epochs.truncateFromEnd(10)));
        assertSame(epochs, epochs.truncateFromEnd(31));
        assertEquals("4@20 7@30", text(epochs.truncateFromStart(20)));
        assertEquals("4@10 7@30", text(epochs.truncateFromStart(10)));
        assertEquals("7@50", text(epochs.truncateFromStart(50)));
        assertEquals("1@5 4@10 7@30", text(epochs.truncateFromStart(5)));
    }

    @Test
    void shouldDropWhatAnAssignmentContradicts() {
        assertEquals("1@0 4@10 5@20", text(epochs.assign(5, 20)));
        assertEquals("1@0 4@9", text(epochs.assign(4, 9)));
        assertSame(epochs, epochs.assign(7, 35));
    }

    private static String text(LeaderEpochs epochs) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < epochs.size(); i++) {
            text.append(i == 0 ? "" : " ").append(epochs.epoch(i)).append('@');
            text.append(epochs.start(i));
        }
        return text.toString();
    }
}
