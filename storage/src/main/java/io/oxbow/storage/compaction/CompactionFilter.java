// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.compaction;

import java.util.Map;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;

/**
 * Decides batch by batch and record by record what stays; {@code MemoryRecords.filterTo} does it.
 * Kafka's rules:
 *
 * <ul>
 *   <li>A record stays if its key has no later record in the cleaned part; without a key it goes.
 *   <li>A tombstone stays until its batch's delete horizon, which the first run that meets it sets
 *       ({@code delete.retention.ms} from then). In batches older than version 2 the age of the
 *       segment's file decides.
 *   <li>Aborted records go. A marker goes at its delete horizon once nothing that it ends is left.
 *   <li>The last batch of a producer that is active stays, emptied if need be: its sequence and
 *       epoch are what the producer state is rebuilt from. So does the batch that ends at the high
 *       watermark, so that the log's end is not forgotten.
 * </ul>
 */
final class CompactionFilter extends MemoryRecords.RecordFilter {

    /**
     * The last trace of an active producer.
     *
     * @param lastDataOffset of its last batch, -1 if its last trace is a marker
     */
    record LastTrace(long lastDataOffset, short producerEpoch) {}

    /**
     * What holds for all segments of a run.
     *
     * @param highWatermark of the log when the run began
     */
    record Rules(
            long nowMs,
            long deleteRetentionMs,
            long highWatermark,
            Map<Long, LastTrace> activeProducers) {}

    private final Rules rules;
    private final KeyOffsets latest;
    private final TransactionFates transactions;
    private final boolean keepOldTombstones;

    /** For the batch that is being filtered. */
    private boolean discardRecords;

    /**
     * @param keepOldTombstones tombstones in batches older than version 2 stay
     */
    CompactionFilter(
            Rules rules,
            KeyOffsets latest,
            TransactionFates transactions,
            boolean keepOldTombstones) {
        super(rules.nowMs(), rules.deleteRetentionMs());
        this.rules = rules;
        this.latest = latest;
        this.transactions = transactions;
        this.keepOldTombstones = keepOldTombstones;
    }

    @Override
    protected BatchRetentionResult checkBatchRetention(RecordBatch batch) {
        boolean discardable = transactions.discards(batch);
        discardRecords = discardable && (!batch.isControlBatch() || horizonPassed(batch));
        return new BatchRetentionResult(retention(batch), discardable && batch.isControlBatch());
    }

    private BatchRetention retention(RecordBatch batch) {
        boolean endsAtHighWatermark = batch.nextOffset() == rules.highWatermark();
        boolean canBeEmpty = batch.magic() >= RecordBatch.MAGIC_VALUE_V2;
        if (canBeEmpty && (isLastOfActiveProducer(batch) || endsAtHighWatermark)) {
            return BatchRetention.RETAIN_EMPTY;
        }
        return discardRecords ? BatchRetention.DELETE : BatchRetention.DELETE_EMPTY;
    }

    private boolean isLastOfActiveProducer(RecordBatch batch) {
        if (!batch.hasProducerId()) return false;
        LastTrace last = rules.activeProducers().get(batch.producerId());
        if (last == null) return false;
        return last.lastDataOffset() >= 0
                ? batch.lastOffset() == last.lastDataOffset()
                : batch.isControlBatch() && batch.producerEpoch() == last.producerEpoch();
    }

    @Override
    protected boolean shouldRetainRecord(RecordBatch batch, Record record) {
        if (discardRecords) return false;
        if (batch.isControlBatch()) return true;
        if (record.offset() > latest.latestOffset()) return true;
        if (!record.hasKey()) return false;
        return record.offset() >= latest.latest(record.key())
                && (record.hasValue() || keepsTombstones(batch));
    }

    private boolean keepsTombstones(RecordBatch batch) {
        return batch.magic() < RecordBatch.MAGIC_VALUE_V2
                ? keepOldTombstones
                : batch.deleteHorizonMs().isEmpty() || !horizonPassed(batch);
    }

    private boolean horizonPassed(RecordBatch batch) {
        return batch.deleteHorizonMs().isPresent()
                && batch.deleteHorizonMs().getAsLong() <= rules.nowMs();
    }
}
