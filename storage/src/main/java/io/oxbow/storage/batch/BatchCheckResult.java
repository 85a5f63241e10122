// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.batch;

/** What {@link BatchCheck} says of a partition's records in a request. */
public sealed interface BatchCheckResult {

    /** They may be queued for the lane. */
    record Valid(CheckedBatches batches) implements BatchCheckResult {}

    /** They may not; the message carries the values. */
    record Invalid(Kind kind, String message) implements BatchCheckResult {}

    /** What is wrong. Each maps to one Kafka error code in the produce handler. */
    enum Kind {
        /** The CRC or the length does not match (CORRUPT_MESSAGE). */
        CORRUPT,
        /** Breaks a rule of the format or the protocol (INVALID_RECORD). */
        INVALID_RECORD,
        /** The request's version cannot carry this codec (UNSUPPORTED_COMPRESSION_TYPE). */
        UNSUPPORTED_COMPRESSION,
        /** A batch of an unknown magic (UNSUPPORTED_FOR_MESSAGE_FORMAT). */
        UNSUPPORTED_FORMAT
    }
}
