// SPDX-License-Identifier: Apache-2.0
package io.oxbow.coordination.runtime;

import io.oxbow.storage.log.AppendOutcome;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidTxnStateException;
import org.apache.kafka.common.errors.KafkaStorageException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.NotLeaderOrFollowerException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TransactionCoordinatorFencedException;
import org.apache.kafka.common.errors.UnknownServerException;

/**
 * The exceptions that the coordinator runtime expects of a writer. It tells clients {@code
 * NOT_COORDINATOR} after a lost leadership or a failed disk, {@code COORDINATOR_NOT_AVAILABLE} for
 * what passes (here: a full directory, too many open files).
 */
final class AppendRefusals {
    private AppendRefusals() {}

    static ApiException exception(TopicPartition partition, AppendOutcome.Refused refused) {
        String message = partition + ": " + refused.message();
        return switch (refused.reason()) {
            case NOT_LEADER -> new NotLeaderOrFollowerException(message);
            case DIRECTORY_OFFLINE -> new KafkaStorageException(message);
            case DIRECTORY_FULL, TOO_MANY_OPEN -> new NotEnoughReplicasException(message);
            case TOO_LARGE -> new RecordTooLargeException(message);
            case INVALID_PRODUCER_EPOCH -> new InvalidProducerEpochException(message);
            case COORDINATOR_FENCED -> new TransactionCoordinatorFencedException(message);
            case INVALID_TXN_STATE -> new InvalidTxnStateException(message);
            case CORRUPT -> new CorruptRecordException(message);
            case INVALID_TIMESTAMP,
                    INVALID_RECORD,
                    OUT_OF_ORDER_SEQUENCE,
                    UNKNOWN_PRODUCER_ID,
                    OFFSETS_NOT_MONOTONIC ->
                    new UnknownServerException(refused.reason() + " at " + message);
        };
    }
}
