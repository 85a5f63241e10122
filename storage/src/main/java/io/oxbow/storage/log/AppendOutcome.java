// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.log;

import java.util.List;

/** What became of an append. Handlers turn refusals into Kafka's error codes. */
public sealed interface AppendOutcome {

    /**
     * Written (to the page cache; durable when {@code flush.messages} asked for it).
     *
     * @param baseOffset offset of the first record
     * @param lastOffset offset of the last record
     * @param logAppendTimeMs the broker's time if the topic uses LogAppendTime, else -1
     * @param logStartOffset the log's first offset now
     */
    record Appended(long baseOffset, long lastOffset, long logAppendTimeMs, long logStartOffset)
            implements AppendOutcome {}

    /** The same batch of the same producer was written before; acknowledged again, not written. */
    record Duplicate(long baseOffset, long lastOffset, long logAppendTimeMs, long logStartOffset)
            implements AppendOutcome {}

    /** Not written. */
    record Refused(Reason reason, String message, List<RecordError> recordErrors)
            implements AppendOutcome {
        public Refused(Reason reason, String message) {
            this(reason, message, List.of());
        }
    }

    /** One record at fault, by its index in the batch. */
    record RecordError(int batchIndex, String message) {}

    /** Why an append was refused. Each maps to one Kafka error code in the produce handler. */
    enum Reason {
        /** A batch is larger than {@code max.message.bytes}. */
        TOO_LARGE,
        /** A time-stamp is outside the topic's bounds. */
        INVALID_TIMESTAMP,
        /** Breaks a rule of the topic, e.g. no key on a compacted one. */
        INVALID_RECORD,
        /** Not readable as records after all (seen when a batch had to be opened). */
        CORRUPT,
        /** The idempotent producer's sequence does not follow on. */
        OUT_OF_ORDER_SEQUENCE,
        /** A newer instance of the producer has taken over. */
        INVALID_PRODUCER_EPOCH,
        /** The producer is not known, and its sequence is not 0. */
        UNKNOWN_PRODUCER_ID,
        /** Breaks the rules of transactions, e.g. a plain batch inside one. */
        INVALID_TXN_STATE,
        /** The coordinator epoch of a marker is old. */
        COORDINATOR_FENCED,
        /** Offsets do not follow on (replication and raft). */
        OFFSETS_NOT_MONOTONIC,
        /** The directory is full (spec 10 F1); retriable. */
        DIRECTORY_FULL,
        /** No more files may be open; nothing was written; retriable. */
        TOO_MANY_OPEN,
        /** The directory is offline; retriable elsewhere. */
        DIRECTORY_OFFLINE,
        /** The caller is no longer the leader at this epoch, or the log is gone. */
        NOT_LEADER
    }
}
