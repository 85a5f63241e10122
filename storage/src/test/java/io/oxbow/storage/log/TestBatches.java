// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.log;

import io.oxbow.storage.batch.BatchCheck;
import io.oxbow.storage.batch.BatchCheckResult;
import io.oxbow.storage.batch.CheckedBatches;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.EndTransactionMarker;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;

/** Batches as Kafka's own client makes them. */
public final class TestBatches {
    private TestBatches() {}

    public static SimpleRecord record(long timestampMs, String key, String value) {
        return new SimpleRecord(timestampMs, bytes(key), bytes(value));
    }

    public static byte[] bytes(String text) {
        return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
    }

    /** One batch of these values with keys k0, k1, .. and the given timestamp. */
    public static ByteBuffer plain(long timestampMs, String... values) {
        return plain(Compression.NONE, timestampMs, values);
    }

    public static ByteBuffer plain(Compression codec, long timestampMs, String... values) {
        return MemoryRecords.withRecords(codec, records(timestampMs, values)).buffer();
    }

    public static ByteBuffer idempotent(
            long producerId, int epoch, int sequence, long timestampMs, String... values) {
        return MemoryRecords.withIdempotentRecords(
                        Compression.NONE,
                        producerId,
                        (short) epoch,
                        sequence,
                        records(timestampMs, values))
                .buffer();
    }

    public static ByteBuffer transactional(
            long producerId, int epoch, int sequence, long timestampMs, String... values) {
        return MemoryRecords.withTransactionalRecords(
                        Compression.NONE,
                        producerId,
                        (short) epoch,
                        sequence,
                        records(timestampMs, values))
                .buffer();
    }

    public static ByteBuffer marker(long producerId, int epoch, boolean abort, long timestampMs) {
        return MemoryRecords.withEndTransactionMarker(
                        timestampMs,
                        producerId,
                        (short) epoch,
                        new EndTransactionMarker(
                                abort ? ControlRecordType.ABORT : ControlRecordType.COMMIT, 0))
                .buffer();
    }

    private static SimpleRecord[] records(long timestampMs, String... values) {
        SimpleRecord[] records = new SimpleRecord[values.length];
        Arrays.setAll(records, i -> record(timestampMs, "k" + i, values[i]));
        return records;
    }

    /** Several batches back to back. */
    public static ByteBuffer joined(ByteBuffer... parts) {
        ByteBuffer all =
                ByteBuffer.allocate(Arrays.stream(parts).mapToInt(ByteBuffer::remaining).sum());
        for (ByteBuffer part : parts) all.put(part.duplicate());
        return all.flip();
    }

    public static CheckedBatches checked(ByteBuffer batches) {
        if (BatchCheck.copied(batches) instanceof BatchCheckResult.Valid valid) {
            return valid.batches();
        }
        throw new AssertionError("not valid batches");
    }
}
