// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.data;

import io.oxbow.storage.batch.BatchCheckResult;
import io.oxbow.storage.log.AppendOutcome;
import org.apache.kafka.common.protocol.Errors;

/** Kafka's error codes for what storage refuses. Pure. */
final class ProduceErrors {
    private ProduceErrors() {}

    static Errors of(AppendOutcome.Reason reason) {
        return switch (reason) {
            case TOO_LARGE -> Errors.MESSAGE_TOO_LARGE;
            case INVALID_TIMESTAMP -> Errors.INVALID_TIMESTAMP;
            case INVALID_RECORD -> Errors.INVALID_RECORD;
            case CORRUPT -> Errors.CORRUPT_MESSAGE;
            case OUT_OF_ORDER_SEQUENCE -> Errors.OUT_OF_ORDER_SEQUENCE_NUMBER;
            case INVALID_PRODUCER_EPOCH -> Errors.INVALID_PRODUCER_EPOCH;
            case UNKNOWN_PRODUCER_ID -> Errors.UNKNOWN_PRODUCER_ID;
            case INVALID_TXN_STATE -> Errors.INVALID_TXN_STATE;
            case COORDINATOR_FENCED -> Errors.TRANSACTION_COORDINATOR_FENCED;
            case OFFSETS_NOT_MONOTONIC -> Errors.UNKNOWN_SERVER_ERROR;
            case DIRECTORY_FULL, TOO_MANY_OPEN, DIRECTORY_OFFLINE -> Errors.KAFKA_STORAGE_ERROR;
            case NOT_LEADER -> Errors.NOT_LEADER_OR_FOLLOWER;
        };
    }

    /** Whether Kafka's refusal names the log's first offset; it does where the log was asked. */
    static boolean tellsLogStart(AppendOutcome.Reason reason) {
        return switch (reason) {
            case INVALID_TIMESTAMP,
                    INVALID_RECORD,
                    OUT_OF_ORDER_SEQUENCE,
                    INVALID_PRODUCER_EPOCH,
                    UNKNOWN_PRODUCER_ID,
                    INVALID_TXN_STATE,
                    COORDINATOR_FENCED,
                    OFFSETS_NOT_MONOTONIC ->
                    true;
            case TOO_LARGE, CORRUPT, DIRECTORY_FULL, TOO_MANY_OPEN, DIRECTORY_OFFLINE, NOT_LEADER ->
                    false;
        };
    }

    static Errors of(BatchCheckResult.Kind kind) {
        return switch (kind) {
            case CORRUPT -> Errors.CORRUPT_MESSAGE;
            case INVALID_RECORD -> Errors.INVALID_RECORD;
            case UNSUPPORTED_COMPRESSION -> Errors.UNSUPPORTED_COMPRESSION_TYPE;
            case UNSUPPORTED_FORMAT -> Errors.UNSUPPORTED_FOR_MESSAGE_FORMAT;
        };
    }
}
