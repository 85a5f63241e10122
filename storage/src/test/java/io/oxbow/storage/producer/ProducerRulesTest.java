// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.producer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.oxbow.storage.producer.ProducerRules.Data;
import io.oxbow.storage.producer.ProducerRules.Marker;
import io.oxbow.storage.producer.ProducerRules.Sender;
import io.oxbow.storage.producer.ProducerVerdict.Accepted;
import io.oxbow.storage.producer.ProducerVerdict.Duplicate;
import io.oxbow.storage.producer.ProducerVerdict.Reason;
import io.oxbow.storage.producer.ProducerVerdict.Refused;
import org.junit.jupiter.api.Test;

class ProducerRulesTest {
    private final ProducerEntry unknown = ProducerEntry.unknown(7);

    @Test
    void shouldTakeSequencesThatFollowOn() {
        ProducerEntry entry = write(unknown, 0, 0, 0, 3);
        entry = write(entry, 0, 3, 3, 1);
        assertEquals(3, entry.lastSequence());
        assertEquals(Reason.OUT_OF_ORDER_SEQUENCE, refusal(entry, 0, 5, 4, 1));
    }

    @Test
    void shouldTakeAnySequenceOfAProducerThatIsNotKnown() {
        assertEquals(41, write(unknown, 0, 40, 100, 2).lastSequence());
    }

    @Test
    void shouldWrapSequences() {
        ProducerEntry entry = write(unknown, 0, Integer.MAX_VALUE - 1, 0, 2);
        assertEquals(Integer.MAX_VALUE, entry.lastSequence());
        assertEquals(0, write(entry, 0, 0, 2, 1).lastSequence());
        ProducerEntry across = write(unknown, 0, Integer.MAX_VALUE - 1, 0, 5);
        assertEquals(2, across.lastSequence());
        assertEquals(Integer.MAX_VALUE - 1, across.batch(0).firstSequence());
        assertEquals(3, write(across, 0, 3, 5, 1).lastSequence());
    }

    @Test
    void shouldRecogniseTheLastFiveBatches() {
        ProducerEntry entry = unknown;
        for (int i = 0; i < 6; i++) entry = write(entry, 0, i * 2, i * 2L, 2);
        for (int i = 1; i < 6; i++) {
            Duplicate twice =
                    assertInstanceOf(
                            Duplicate.class,
                            ProducerRules.data(entry, data(0, i * 2, 99, 2), Sender.CLIENT));
            assertEquals(i * 2L, twice.batch().firstOffset());
        }
        assertEquals(Reason.OUT_OF_ORDER_SEQUENCE, refusal(entry, 0, 0, 99, 2));
        assertEquals(Reason.OUT_OF_ORDER_SEQUENCE, refusal(entry, 0, 10, 99, 1));
    }

    @Test
    void shouldBeginANewEpochAtSequenceZero() {
        ProducerEntry entry = write(unknown, 3, 5, 0, 1);
        assertEquals(Reason.OUT_OF_ORDER_SEQUENCE, refusal(entry, 4, 1, 1, 1));
        ProducerEntry next = write(entry, 4, 0, 1, 1);
        assertEquals(1, next.batchCount());
        assertEquals(Reason.INVALID_PRODUCER_EPOCH, refusal(next, 3, 6, 2, 1));
    }

    @Test
    void shouldNotCheckSequencesOfCoordinatorsAndCopies() {
        ProducerEntry entry = write(unknown, 1, 0, 0, 1);
        ProducerVerdict verdict = ProducerRules.data(entry, data(1, 9, 1, 1), Sender.COORDINATOR);
        assertInstanceOf(Accepted.class, verdict);
        verdict = ProducerRules.data(entry, data(0, 9, 1, 1), Sender.COORDINATOR);
        assertInstanceOf(Refused.class, verdict);
        verdict = ProducerRules.data(entry, data(0, 9, 1, 1), Sender.LOG);
        assertInstanceOf(Accepted.class, verdict);
    }

    @Test
    void shouldKeepTransactionsApart() {
        Data inside = new Data((short) 0, 0, 10, 0, 1, true);
        ProducerEntry open =
                assertInstanceOf(Accepted.class, ProducerRules.data(unknown, inside, Sender.CLIENT))
                        .next();
        assertEquals(10, open.txnFirstOffset());
        assertEquals(Reason.INVALID_TXN_STATE, refusal(open, 0, 1, 11, 1));
        Accepted ended =
                assertInstanceOf(
                        Accepted.class,
                        ProducerRules.marker(
                                open, new Marker((short) 0, 3, true, 12, 2), Sender.COORDINATOR));
        assertEquals(new CompletedTransaction(7, 10, 12, true), ended.completed());
        assertEquals(-1, ended.next().txnFirstOffset());
        assertEquals(1, write(ended.next(), 0, 1, 13, 1).lastSequence());
    }

    @Test
    void shouldFenceMarkersOfOldCoordinators() {
        Marker marker = new Marker((short) 0, 3, true, 12, 2);
        Accepted first =
                assertInstanceOf(
                        Accepted.class, ProducerRules.marker(unknown, marker, Sender.COORDINATOR));
        assertNull(first.completed());
        ProducerVerdict older =
                ProducerRules.marker(
                        first.next(), new Marker((short) 0, 2, true, 13, 2), Sender.COORDINATOR);
        assertEquals(Reason.COORDINATOR_FENCED, assertInstanceOf(Refused.class, older).reason());
    }

    private static Data data(int epoch, int sequence, long offset, int count) {
        return new Data((short) epoch, sequence, offset, count - 1, 1, false);
    }

    private static ProducerEntry write(
            ProducerEntry entry, int epoch, int sequence, long offset, int count) {
        return assertInstanceOf(
                        Accepted.class,
                        ProducerRules.data(
                                entry, data(epoch, sequence, offset, count), Sender.CLIENT))
                .next();
    }

    private static Reason refusal(
            ProducerEntry entry, int epoch, int sequence, long offset, int count) {
        return assertInstanceOf(
                        Refused.class,
                        ProducerRules.data(
                                entry, data(epoch, sequence, offset, count), Sender.CLIENT))
                .reason();
    }
}
