// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.batch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.oxbow.storage.batch.BatchCheckResult.Invalid;
import io.oxbow.storage.batch.BatchCheckResult.Kind;
import io.oxbow.storage.batch.BatchCheckResult.Valid;
import io.oxbow.storage.log.TestBatches;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class BatchCheckTest {
    private static final int VERSION = 12;

    static Stream<Compression> codecs() {
        return Stream.of(
                Compression.NONE,
                Compression.gzip().build(),
                Compression.snappy().build(),
                Compression.lz4().build(),
                Compression.zstd().build());
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void shouldAcceptABatchOfAnyCodec(Compression codec) {
        ByteBuffer batch = TestBatches.plain(codec, 42, "a", "b", "c");
        int size = batch.remaining();
        Valid valid = assertInstanceOf(Valid.class, BatchCheck.produced(batch, VERSION));
        assertEquals(new CheckedBatches(batch, 1, 3, size, 42), valid.batches());
        assertEquals(0, batch.position());
        assertEquals(size, batch.limit());
    }

    @Test
    void shouldAcceptABatchInTheMiddleOfADirectBuffer() {
        ByteBuffer batch = TestBatches.plain(42, "a", "b");
        ByteBuffer request = ByteBuffer.allocateDirect(batch.remaining() + 20);
        request.position(7).put(batch.duplicate()).flip().position(7);
        assertInstanceOf(Valid.class, BatchCheck.produced(request, VERSION));
    }

    @Test
    void shouldRefuseNothing() {
        assertEquals(Kind.INVALID_RECORD, kind(BatchCheck.produced(null, VERSION)));
        assertEquals(
                Kind.INVALID_RECORD, kind(BatchCheck.produced(ByteBuffer.allocate(0), VERSION)));
    }

    @Test
    void shouldRefuseTwoBatches() {
        ByteBuffer two = TestBatches.joined(TestBatches.plain(1, "a"), TestBatches.plain(1, "b"));
        assertEquals(Kind.INVALID_RECORD, kind(BatchCheck.produced(two, VERSION)));
    }

    @Test
    void neverAcceptsABatchThatIsCut() {
        ByteBuffer whole = TestBatches.plain(1, "a", "b");
        for (int length = 1; length < whole.limit(); length++) {
            ByteBuffer cut = whole.duplicate().limit(length);
            assertEquals(
                    Kind.INVALID_RECORD, kind(BatchCheck.produced(cut, VERSION)), "cut " + length);
        }
    }

    @Test
    void neverAcceptsAFlippedBit() {
        int size = TestBatches.plain(1, "a", "b").remaining();
        for (int at = BatchFormat.LENGTH; at < size; at++) {
            // The leader epoch is not covered: it is the broker's to write.
            if (at >= BatchFormat.LEADER_EPOCH && at < BatchFormat.MAGIC) continue;
            ByteBuffer batch = TestBatches.plain(1, "a", "b");
            batch.put(at, (byte) (batch.get(at) ^ 0x10));
            assertInstanceOf(Invalid.class, BatchCheck.produced(batch, VERSION), "byte " + at);
        }
    }

    @Test
    void shouldRefuseZstdInOldRequests() {
        ByteBuffer batch = TestBatches.plain(Compression.zstd().build(), 1, "a");
        assertEquals(Kind.UNSUPPORTED_COMPRESSION, kind(BatchCheck.produced(batch, 6)));
        assertInstanceOf(Valid.class, BatchCheck.produced(batch, 7));
    }

    @Test
    void shouldRefuseOldAndUnknownMagic() {
        ByteBuffer old =
                MemoryRecords.withRecords(
                                (byte) 1, Compression.NONE, new SimpleRecord(1, new byte[1]))
                        .buffer();
        assertEquals(Kind.INVALID_RECORD, kind(BatchCheck.produced(old, VERSION)));
        ByteBuffer batch = TestBatches.plain(1, "a");
        batch.put(BatchFormat.MAGIC, (byte) 3);
        assertEquals(Kind.UNSUPPORTED_FORMAT, kind(BatchCheck.produced(batch, VERSION)));
    }

    @Test
    void shouldRefuseControlBatchesOfClients() {
        ByteBuffer marker = TestBatches.marker(7, 0, true, 1);
        assertEquals(Kind.INVALID_RECORD, kind(BatchCheck.produced(marker, VERSION)));
        assertInstanceOf(Valid.class, BatchCheck.copied(marker));
    }

    @Test
    void shouldRefuseHeadersThatContradictThemselves() {
        assertRefused(batch -> batch.putInt(BatchFormat.RECORD_COUNT, 3));
        assertRefused(batch -> batch.putInt(BatchFormat.RECORD_COUNT, 0));
        assertRefused(batch -> batch.putInt(BatchFormat.LAST_OFFSET_DELTA, -1));
        assertRefused(batch -> batch.putLong(BatchFormat.BASE_OFFSET, 5));
        assertRefused(batch -> batch.putLong(BatchFormat.PRODUCER_ID, 5));
        assertRefused(batch -> batch.putShort(BatchFormat.ATTRIBUTES, (short) 7));
        assertRefused(batch -> batch.putShort(BatchFormat.ATTRIBUTES, (short) 0x10));
    }

    @Test
    void shouldTakeWholeBatchesOfACopyAndLeaveTheCutOne() {
        ByteBuffer first = TestBatches.plain(3, "a");
        ByteBuffer second = TestBatches.plain(9, "bbbb", "c");
        ByteBuffer both = TestBatches.joined(first, second, TestBatches.plain(1, "d"));
        both.limit(both.limit() - 1);
        Valid valid = assertInstanceOf(Valid.class, BatchCheck.copied(both));
        assertEquals(2, valid.batches().batchCount());
        assertEquals(3, valid.batches().recordCount());
        assertEquals(9, valid.batches().maxTimestampMs());
        assertEquals(second.remaining(), valid.batches().largestBatchBytes());
        assertEquals(first.remaining() + second.remaining(), valid.batches().sizeBytes());
        assertNull(BatchCheck.copied(first.duplicate().limit(first.limit() - 1)));
    }

    private static void assertRefused(Consumer<ByteBuffer> change) {
        ByteBuffer batch = TestBatches.plain(1, "a", "b");
        change.accept(batch);
        // With a right CRC, as a faulty client would send it.
        BatchFormat.patchCreateTime(batch, 0);
        assertEquals(Kind.INVALID_RECORD, kind(BatchCheck.produced(batch, VERSION)));
    }

    private static Kind kind(BatchCheckResult result) {
        return assertInstanceOf(Invalid.class, result).kind();
    }
}
