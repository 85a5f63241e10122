// SPDX-License-Identifier: Apache-2.0
package io.oxbow.coordination.runtime;

import io.oxbow.base.error.CorruptException;
import java.nio.ByteBuffer;
import java.util.Iterator;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.requests.TransactionResult;
import org.apache.kafka.coordinator.common.runtime.CoordinatorPlayback;
import org.apache.kafka.coordinator.common.runtime.Deserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Plays the records of a log to a coordinator in their order. Records of open transactions are
 * played too, with their producer: the coordinator holds them back until it sees the marker.
 *
 * <p>The coordinator is told of written and committed offsets every {@code COMMIT_INTERVAL} offsets
 * and at the high watermark, so that it can drop old snapshots while it loads. Used by one loading
 * thread.
 */
final class RecordPlayer<U> {
    private static final Logger log = LoggerFactory.getLogger(RecordPlayer.class);
    private static final long COMMIT_INTERVAL = 16_384;

    private final TopicPartition partition;
    private final Deserializer<U> deserializer;
    private final CoordinatorPlayback<U> playback;

    private long nextOffset;
    private long reportedOffset;
    private long reportedHighWatermark = -1;
    private long recordCount;

    /**
     * @param startOffset first offset to be played
     */
    RecordPlayer(
            TopicPartition partition,
            Deserializer<U> deserializer,
            CoordinatorPlayback<U> playback,
            long startOffset) {
        this.partition = partition;
        this.deserializer = deserializer;
        this.playback = playback;
        this.nextOffset = startOffset;
        this.reportedOffset = startOffset;
    }

    /** Offset after the last batch played. */
    long nextOffset() {
        return nextOffset;
    }

    long recordCount() {
        return recordCount;
    }

    /** Plays the whole batches of {@code chunk}; a batch that is cut off at its end is left out. */
    void play(ByteBuffer chunk, long highWatermark) {
        for (RecordBatch batch : MemoryRecords.readableRecords(chunk).batches()) {
            if (batch.nextOffset() <= nextOffset) continue;
            batch.ensureValid();
            if (batch.isControlBatch()) playMarkers(batch);
            else playRecords(batch);
            nextOffset = batch.nextOffset();
            report(highWatermark);
        }
    }

    private void playMarkers(RecordBatch batch) {
        for (Record record : batch) {
            recordCount++;
            switch (ControlRecordType.parse(record.key())) {
                case COMMIT -> endTransaction(batch, TransactionResult.COMMIT);
                case ABORT -> endTransaction(batch, TransactionResult.ABORT);
                default ->
                        log.debug("{}: control record at {} skipped", partition, record.offset());
            }
        }
    }

    private void endTransaction(RecordBatch batch, TransactionResult result) {
        playback.replayEndTransactionMarker(batch.producerId(), batch.producerEpoch(), result);
    }

    private void playRecords(RecordBatch batch) {
        Iterator<Record> records = batch.iterator();
        while (records.hasNext()) {
            Record record = records.next();
            recordCount++;
            U decoded = decode(record);
            if (decoded == null) continue;
            playback.replay(record.offset(), batch.producerId(), batch.producerEpoch(), decoded);
        }
    }

    private U decode(Record record) {
        try {
            return deserializer.deserialize(record.key(), record.value());
        } catch (Deserializer.UnknownRecordTypeException unknown) {
            log.warn(
                    "{}: record at {} has type {}, which this version does not know; skipped (a"
                            + " newer version may have written it)",
                    partition,
                    record.offset(),
                    unknown.unknownType());
            return null;
        } catch (RuntimeException unreadable) {
            throw new CorruptException(
                    partition + ": the record at offset " + record.offset() + " cannot be read",
                    unreadable);
        }
    }

    private void report(long highWatermark) {
        if (nextOffset >= highWatermark) {
            playback.updateLastWrittenOffset(nextOffset);
            if (highWatermark > reportedHighWatermark) {
                playback.updateLastCommittedOffset(highWatermark);
                reportedHighWatermark = highWatermark;
            }
        } else if (nextOffset - reportedOffset >= COMMIT_INTERVAL) {
            playback.updateLastWrittenOffset(nextOffset);
            playback.updateLastCommittedOffset(nextOffset);
            reportedOffset = nextOffset;
        }
    }
}
