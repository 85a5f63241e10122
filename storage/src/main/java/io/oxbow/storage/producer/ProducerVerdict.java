// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.producer;

/** What {@link ProducerRules} say of one batch. */
public sealed interface ProducerVerdict {

    /**
     * The batch may be written.
     *
     * @param next the producer's state after it
     * @param completed the transaction that it ends, or null
     */
    record Accepted(ProducerEntry next, CompletedTransaction completed)
            implements ProducerVerdict {}

    /** It was written before. */
    record Duplicate(ProducerEntry.Batch batch) implements ProducerVerdict {}

    /** It must not be written. */
    record Refused(Reason reason, String message) implements ProducerVerdict {}

    enum Reason {
        OUT_OF_ORDER_SEQUENCE,
        INVALID_PRODUCER_EPOCH,
        INVALID_TXN_STATE,
        COORDINATOR_FENCED
    }
}
