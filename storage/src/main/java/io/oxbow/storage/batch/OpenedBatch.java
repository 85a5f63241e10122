// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.batch;

import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.EndTransactionMarker;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MemoryRecordsBuilder;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.utils.internals.BufferSupplier;
import org.apache.kafka.common.utils.internals.ByteBufferOutputStream;
import org.apache.kafka.common.utils.internals.CloseableIterator;

/**
 * The records inside one batch, decompressed where need be. Off the hot path: only what headers
 * cannot tell comes here (keys of compacted topics, another codec, look-ups by time, transaction
 * markers). The place where Kafka's record classes are used. Used by one thread.
 */
public final class OpenedBatch {
    private final MutableRecordBatch batch;

    private OpenedBatch(MutableRecordBatch batch) {
        this.batch = batch;
    }

    /** The batch at {@code at}, {@code sizeBytes} long; shares the bytes. */
    public static OpenedBatch of(ByteBuffer buffer, int at, int sizeBytes) {
        return new OpenedBatch(
                MemoryRecords.readableRecords(buffer.slice(at, sizeBytes))
                        .batches()
                        .iterator()
                        .next());
    }

    /** Says what could not be read; its message is for the client. */
    public static final class Unreadable extends Exception {
        private static final long serialVersionUID = 1L;

        Unreadable(RuntimeException cause) {
            super("The records of the batch cannot be read: " + cause.getMessage(), cause);
        }
    }

    /**
     * Shows each record, in order; keys and values are valid only for the call.
     *
     * @throws Unreadable if the bytes are not records
     */
    public void forEach(Consumer<Record> visitor) throws Unreadable {
        try (CloseableIterator<Record> records =
                batch.streamingIterator(BufferSupplier.NO_CACHING)) {
            while (records.hasNext()) visitor.accept(records.next());
        } catch (KafkaException | IllegalArgumentException failure) {
            throw new Unreadable(failure);
        }
    }

    /** The first record from {@code fromOffset} on with at least this timestamp, or null. */
    public Found firstSince(long timestampMs, long fromOffset) throws Unreadable {
        try (CloseableIterator<Record> records =
                batch.streamingIterator(BufferSupplier.NO_CACHING)) {
            while (records.hasNext()) {
                Record record = records.next();
                if (record.timestamp() >= timestampMs && record.offset() >= fromOffset) {
                    return new Found(record.offset(), record.timestamp());
                }
            }
            return null;
        } catch (KafkaException | IllegalArgumentException failure) {
            throw new Unreadable(failure);
        }
    }

    /** A record. */
    public record Found(long offset, long timestampMs) {}

    /** A transaction marker. */
    public record Marker(boolean abort, int coordinatorEpoch) {}

    /** The transaction marker in a control batch; null if it is something else or is empty. */
    public Marker marker() throws Unreadable {
        Marker[] found = new Marker[1];
        forEach(
                record -> {
                    ControlRecordType type = ControlRecordType.parse(record.key());
                    if (type == ControlRecordType.ABORT || type == ControlRecordType.COMMIT) {
                        EndTransactionMarker marker = EndTransactionMarker.deserialize(record);
                        found[0] =
                                new Marker(
                                        type == ControlRecordType.ABORT, marker.coordinatorEpoch());
                    }
                });
        return found[0];
    }

    /**
     * The same records under another codec; offsets from the base offset on, producer state and
     * flags kept.
     */
    public ByteBuffer recompressed(Compression codec) throws Unreadable {
        ByteBufferOutputStream out =
                new ByteBufferOutputStream(
                        ByteBuffer.allocate(Math.max(512, batch.sizeInBytes() * 2)));
        MemoryRecordsBuilder builder =
                new MemoryRecordsBuilder(
                        out,
                        (byte) 2,
                        codec,
                        TimestampType.CREATE_TIME,
                        batch.baseOffset(),
                        -1L,
                        batch.producerId(),
                        batch.producerEpoch(),
                        batch.baseSequence(),
                        batch.isTransactional(),
                        batch.isControlBatch(),
                        batch.partitionLeaderEpoch(),
                        Integer.MAX_VALUE);
        forEach(record -> builder.appendWithOffset(record.offset(), record));
        return builder.build().buffer();
    }

    /** The codec of this id. */
    public static String codecName(int id) {
        return CompressionType.forId(id).name;
    }
}
