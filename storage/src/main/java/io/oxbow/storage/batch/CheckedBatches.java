// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.batch;

import java.nio.ByteBuffer;

/**
 * Batches for one partition whose CRC and shape have been checked: complete, back to back, magic 2
 * (from another log also 0 and 1). Made on the network thread, then owned by the lane, which
 * patches base offset, leader epoch and (if the log appends its own time) time-stamps in place.
 *
 * @param buffer from position to limit the batches; direct or heap
 * @param batchCount at least 1
 * @param recordCount records over all batches, as their headers say
 * @param largestBatchBytes size of the largest batch with its header
 * @param maxTimestampMs largest max-time-stamp of the batch headers, -1 if none
 */
public record CheckedBatches(
        ByteBuffer buffer,
        int batchCount,
        int recordCount,
        int largestBatchBytes,
        long maxTimestampMs) {

    public int sizeBytes() {
        return buffer.remaining();
    }
}
