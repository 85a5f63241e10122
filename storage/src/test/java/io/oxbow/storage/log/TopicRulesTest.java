// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.oxbow.storage.batch.BatchFormat;
import io.oxbow.storage.log.AppendOutcome.Appended;
import io.oxbow.storage.log.AppendOutcome.Reason;
import io.oxbow.storage.log.AppendOutcome.Refused;
import io.oxbow.storage.log.ReadRequest.Isolation;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a topic's configuration does to appends. */
class TopicRulesTest {
    private static final long HOUR_MS = 3_600_000;

    @TempDir Path parent;
    private LogFixture fixture;

    private void open(SettingsBuilder settings) {
        fixture = new LogFixture(parent);
        fixture.settings = settings.build();
        fixture.open(0, true);
    }

    @Test
    void shouldRefuseBatchesThatAreTooLarge() {
        open(new SettingsBuilder().maxMessageBytes(100));
        assertInstanceOf(Appended.class, fixture.append("small"));
        assertEquals(Reason.TOO_LARGE, refused(plain("x".repeat(100))).reason());
        // Copies are kept as they are.
        assertInstanceOf(
                Appended.class,
                fixture.append(at(1, plain("x".repeat(100))), AppendOrigin.REPLICATION));
    }

    @Test
    void shouldRefuseMoreThanASegmentHolds() {
        open(new SettingsBuilder().segmentBytes(200));
        assertEquals(Reason.TOO_LARGE, refused(plain("x".repeat(300))).reason());
    }

    @Test
    void shouldDemandKeysOfCompactedTopics() {
        open(new SettingsBuilder().compact());
        assertInstanceOf(Appended.class, fixture.append("with key"));
        ByteBuffer batch =
                MemoryRecords.withRecords(
                                Compression.lz4().build(),
                                new SimpleRecord(now(), new byte[1], new byte[1]),
                                new SimpleRecord(now(), null, new byte[1]))
                        .buffer();
        Refused refused = refused(batch);
        assertEquals(Reason.INVALID_RECORD, refused.reason());
        assertEquals(1, refused.recordErrors().getFirst().batchIndex());
        assertEquals(1, fixture.log.view().endOffset());
    }

    @ParameterizedTest
    @CsvSource({"0,true", "3600000,true", "3600001,false", "-360000000000,true"})
    void shouldBoundTimestampsFromAboveByDefault(long aheadMs, boolean accepted) {
        open(new SettingsBuilder());
        AppendOutcome outcome = fixture.append(TestBatches.plain(now() + aheadMs, "a"));
        assertEquals(accepted, outcome instanceof Appended);
        if (!accepted) {
            Refused refused = assertInstanceOf(Refused.class, outcome);
            assertEquals(Reason.INVALID_TIMESTAMP, refused.reason());
            assertEquals(0, refused.recordErrors().getFirst().batchIndex());
        }
    }

    @Test
    void shouldBoundTimestampsFromBelowWhenAsked() {
        open(new SettingsBuilder().timestampBounds(HOUR_MS, HOUR_MS));
        ByteBuffer batch =
                MemoryRecords.withRecords(
                                Compression.gzip().build(),
                                TestBatches.record(now(), "k", "in time"),
                                TestBatches.record(now() - HOUR_MS - 1, "k", "too early"))
                        .buffer();
        Refused refused = refused(batch);
        assertEquals(Reason.INVALID_TIMESTAMP, refused.reason());
        assertEquals(1, refused.recordErrors().size());
        assertEquals(1, refused.recordErrors().getFirst().batchIndex());
        assertInstanceOf(
                Appended.class, fixture.append(TestBatches.plain(now() - HOUR_MS, "early enough")));
    }

    @Test
    void shouldGiveTheBrokersTime() {
        open(new SettingsBuilder().logAppendTime());
        AppendOutcome outcome =
                fixture.append(TestBatches.plain(Compression.zstd().build(), 1, "a", "b"));
        assertEquals(new Appended(0, 1, now(), 0), outcome);
        MutableRecordBatch batch = first();
        batch.ensureValid();
        assertEquals(TimestampType.LOG_APPEND_TIME, batch.timestampType());
        assertEquals(now(), batch.iterator().next().timestamp());
        assertEquals(0, fixture.log.offsetForTimestamp(now()).offset());
    }

    @Test
    void shouldNotBelieveAClientThatClaimsTheBrokersTime() {
        open(new SettingsBuilder());
        ByteBuffer batch = plain("v");
        BatchFormat.patchLogAppendTime(batch, 0, now());
        fixture.append(batch);
        first().ensureValid();
        assertEquals(TimestampType.CREATE_TIME, first().timestampType());
    }

    @ParameterizedTest
    @CsvSource({"gzip", "snappy", "lz4", "zstd", "uncompressed"})
    void shouldConvertToTheTopicsCodec(String codec) {
        open(new SettingsBuilder().compressionType(codec));
        fixture.append("first");
        List<Compression> sent = List.of(Compression.NONE, Compression.gzip().build());
        for (int i = 0; i < sent.size(); i++) {
            ByteBuffer batch =
                    MemoryRecords.withIdempotentRecords(
                                    sent.get(i),
                                    9,
                                    (short) 0,
                                    2 * i,
                                    TestBatches.record(now(), "k1", "a"),
                                    TestBatches.record(now() + 1, "k2", "b"))
                            .buffer();
            assertInstanceOf(Appended.class, fixture.append(batch));
        }
        assertEquals(List.of("0:first", "1:a", "2:b", "3:a", "4:b"), fixture.readAll(0));
        CompressionType expected =
                codec.equals("uncompressed")
                        ? CompressionType.NONE
                        : CompressionType.forName(codec);
        assertEquals(expected, first().compressionType());
        assertEquals(3, fixture.log.producers().getFirst().lastSequence());
        assertEquals(3, fixture.log.offsetForTimestamp(now() + 1).offset() + 1);
    }

    @Test
    void shouldRefuseRecordsThatCannotBeRead() {
        open(new SettingsBuilder().compact());
        ByteBuffer batch = TestBatches.plain(Compression.gzip().build(), now(), "a", "b");
        for (int i = 61; i < batch.limit(); i++) batch.put(i, (byte) 7);
        BatchFormat.patchCreateTime(batch, 0);
        assertEquals(Reason.CORRUPT, refused(batch).reason());
    }

    @Test
    void shouldKeepOffsetsOfCopies() {
        open(new SettingsBuilder());
        assertInstanceOf(
                Appended.class, fixture.append(at(5, plain("a")), AppendOrigin.REPLICATION));
        Refused refused =
                assertInstanceOf(
                        Refused.class, fixture.append(at(3, plain("b")), AppendOrigin.REPLICATION));
        assertEquals(Reason.OFFSETS_NOT_MONOTONIC, refused.reason());
        refused =
                assertInstanceOf(
                        Refused.class, fixture.append(at(7, plain("b")), AppendOrigin.RAFT_LEADER));
        assertEquals(Reason.OFFSETS_NOT_MONOTONIC, refused.reason());
        assertInstanceOf(
                Appended.class, fixture.append(at(6, plain("b")), AppendOrigin.RAFT_LEADER));
        assertEquals(List.of("5:a", "6:b"), fixture.readAll(0));
    }

    private long now() {
        return fixture.clock.wallMs();
    }

    private ByteBuffer plain(String value) {
        return TestBatches.plain(now(), value);
    }

    private static ByteBuffer at(long offset, ByteBuffer batch) {
        BatchFormat.patchBaseOffset(batch, 0, offset);
        return batch;
    }

    private Refused refused(ByteBuffer batch) {
        long end = fixture.log.view().endOffset();
        Refused refused = assertInstanceOf(Refused.class, fixture.append(batch));
        assertEquals(end, fixture.log.view().endOffset());
        return refused;
    }

    private MutableRecordBatch first() {
        ReadOutcome.Records records =
                assertInstanceOf(
                        ReadOutcome.Records.class,
                        fixture.log.read(
                                new ReadRequest(0, 1 << 20, true, Isolation.LOG_END), null, true));
        assertTrue(records.slice().sizeInBytes() > 0);
        return LogFixture.records(records.slice()).batches().iterator().next();
    }
}
