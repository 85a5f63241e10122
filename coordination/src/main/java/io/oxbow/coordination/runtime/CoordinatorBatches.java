// SPDX-License-Identifier: Apache-2.0
package io.oxbow.coordination.runtime;

import io.oxbow.storage.batch.CheckedBatches;
import java.nio.ByteBuffer;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MutableRecordBatch;

/**
 * Turns the batches that a coordinator has built into what a lane takes. They need no check: they
 * come from this process. The bytes are copied, because the runtime uses its buffer again as soon
 * as the append returns, also when it returns because the wait was over.
 */
final class CoordinatorBatches {
    private CoordinatorBatches() {}

    static CheckedBatches of(MemoryRecords records) {
        int batchCount = 0;
        int recordCount = 0;
        int largestBatchBytes = 0;
        long maxTimestampMs = -1;
        for (MutableRecordBatch batch : records.batches()) {
            batchCount++;
            recordCount += batch.countOrNull();
            largestBatchBytes = Math.max(largestBatchBytes, batch.sizeInBytes());
            maxTimestampMs = Math.max(maxTimestampMs, batch.maxTimestamp());
        }
        return new CheckedBatches(
                copy(records.buffer()), batchCount, recordCount, largestBatchBytes, maxTimestampMs);
    }

    private static ByteBuffer copy(ByteBuffer source) {
        ByteBuffer copy = ByteBuffer.allocate(source.remaining());
        copy.put(source.duplicate());
        return copy.flip();
    }
}
