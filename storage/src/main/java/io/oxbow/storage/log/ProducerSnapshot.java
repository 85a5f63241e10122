// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.log;

/**
 * State of one producer in a partition, as DescribeProducers shows it.
 *
 * @param currentTxnStartOffset first offset of its open transaction, -1 if none
 * @param coordinatorEpoch of the last marker, -1 if none
 */
public record ProducerSnapshot(
        long producerId,
        short producerEpoch,
        int lastSequence,
        long lastTimestampMs,
        int coordinatorEpoch,
        long currentTxnStartOffset) {}
