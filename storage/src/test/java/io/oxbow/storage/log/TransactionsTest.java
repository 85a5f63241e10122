// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.oxbow.storage.log.AppendOutcome.Appended;
import io.oxbow.storage.log.AppendOutcome.Duplicate;
import io.oxbow.storage.log.AppendOutcome.Reason;
import io.oxbow.storage.log.AppendOutcome.Refused;
import io.oxbow.storage.log.ReadOutcome.AbortedRange;
import io.oxbow.storage.log.ReadRequest.Isolation;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Idempotent and transactional producers through the whole log. */
class TransactionsTest {
    @TempDir Path parent;
    private LogFixture fixture;

    @BeforeEach
    void openNew() {
        fixture = new LogFixture(parent);
        fixture.open(0, true);
    }

    @Test
    void shouldAcknowledgeADuplicateWithoutWritingIt() {
        fixture.append("other");
        ByteBuffer batch = idempotent(5, 0, "a", "b");
        ByteBuffer again = idempotent(5, 0, "a", "b");
        assertEquals(new Appended(1, 2, -1, 0), fixture.append(batch));
        assertEquals(new Duplicate(1, 2, -1, 0), fixture.append(again));
        assertEquals(3, fixture.log.view().endOffset());
    }

    @Test
    void shouldRecogniseADuplicateThatIsStagedInTheSameTurn() {
        assertInstanceOf(Appended.class, stage(idempotent(5, 0, "a")));
        assertEquals(new Duplicate(0, 0, -1, 0), stage(idempotent(5, 0, "a")));
        assertInstanceOf(Appended.class, stage(idempotent(5, 1, "b")));
        assertEquals(
                Reason.OUT_OF_ORDER_SEQUENCE,
                assertInstanceOf(Refused.class, stage(idempotent(5, 3, "d"))).reason());
        fixture.log.writeStaged();
        assertEquals(2, fixture.log.view().endOffset());
        assertEquals(1, fixture.log.producers().getFirst().lastSequence());
    }

    @Test
    void shouldGoOnExactlyOnceAfterCloseAndCrash() {
        for (int i = 0; i < 4; i++) {
            assertInstanceOf(Appended.class, fixture.append(idempotent(5, i, "v" + i)));
            if (i % 2 == 0) fixture.reopen();
            else fixture.crash();
            assertInstanceOf(Duplicate.class, fixture.append(idempotent(5, i, "v" + i)));
            assertInstanceOf(Refused.class, fixture.append(idempotent(5, i + 2, "x")));
        }
    }

    @Test
    void shouldKnowAllBatchesInFlightAfterARollAndACrashOrAClose() {
        fixture.settings = LogFixture.small(400);
        fixture.reopen();
        fixture.append(idempotent(7, 0, "other"));
        for (int i = 0; i < 12; i++) fixture.append(idempotent(5, i, "v" + i));
        fixture.log.flush();
        fixture.log.roll(true);
        for (int round = 0; round < 2; round++) {
            if (round == 0) fixture.crash();
            else fixture.reopen();
            assertEquals(1, fixture.log.producers().size() - 1);
            for (int i = 7; i < 12; i++) {
                assertEquals(
                        new Duplicate(1 + i, 1 + i, -1, 0),
                        fixture.append(idempotent(5, i, "v" + i)));
            }
            assertEquals(
                    Reason.OUT_OF_ORDER_SEQUENCE,
                    assertInstanceOf(Refused.class, fixture.append(idempotent(5, 13, "x")))
                            .reason());
            assertEquals(
                    Reason.OUT_OF_ORDER_SEQUENCE,
                    assertInstanceOf(Refused.class, fixture.append(idempotent(5, 0, "a", "b")))
                            .reason());
        }
        assertEquals(13, fixture.log.view().endOffset());
    }

    @Test
    void shouldHoldTheLastStableOffsetAtTheOldestOpenTransaction() {
        fixture.append("plain");
        fixture.append(transactional(1, 0, "one"));
        fixture.append(transactional(2, 0, "two"));
        assertEquals(1, fixture.log.view().lastStableOffset());
        assertEquals(List.of("0:plain"), readCommitted(0));
        end(1, false);
        assertEquals(2, fixture.log.view().lastStableOffset());
        end(2, true);
        assertEquals(5, fixture.log.view().lastStableOffset());
        assertEquals(List.of(new AbortedRange(2, 2)), aborted(0));
        assertEquals(List.of(new AbortedRange(2, 2)), aborted(2));
        assertEquals(List.of(), aborted(0, Isolation.HIGH_WATERMARK));
    }

    @Test
    void shouldHoldTheLastStableOffsetUntilTheMarkerIsReplicated() {
        fixture.log.stage(TestBatches.checked(transactional(1, 0, "one")), AppendOrigin.CLIENT, 0);
        fixture.log.stage(
                TestBatches.checked(TestBatches.marker(1, 0, false, now())),
                AppendOrigin.TRANSACTION_MARKER,
                0);
        fixture.log.writeStaged();
        fixture.log.raiseHighWatermark(1);
        assertEquals(0, fixture.log.view().lastStableOffset());
        fixture.log.raiseHighWatermark(2);
        assertEquals(2, fixture.log.view().lastStableOffset());
    }

    @Test
    void shouldFindAbortedTransactionsAcrossSegmentsAndRestarts() {
        fixture.settings = LogFixture.small(300);
        fixture.log.reconfigure(fixture.settings);
        fixture.append(transactional(1, 0, "one"));
        for (int i = 0; i < 10; i++) fixture.append("filler " + i);
        end(1, true);
        for (int i = 0; i < 10; i++) fixture.append("more " + i);
        List<AbortedRange> expected = List.of(new AbortedRange(1, 0));
        assertEquals(expected, aborted(0));
        assertEquals(expected, aborted(5));
        assertEquals(List.of(), aborted(13));
        fixture.reopen();
        assertEquals(expected, aborted(0));
        assertEquals(expected, aborted(5));
        fixture.crash();
        assertEquals(expected, aborted(5));
        assertEquals(List.of(), aborted(13));
    }

    @Test
    void shouldForgetAbortedTransactionsThatAreTruncated() {
        fixture.append(transactional(1, 0, "one"));
        end(1, true);
        fixture.append("x");
        fixture.log.truncateTo(1);
        assertEquals(0, fixture.log.view().lastStableOffset());
        fixture.append("y");
        end(1, false);
        assertEquals(List.of(), aborted(0));
        assertEquals(3, fixture.log.view().lastStableOffset());
    }

    @Test
    void shouldRemakeTheTransactionIndexAfterACrash() throws Exception {
        fixture.append(transactional(1, 0, "one"));
        end(1, true);
        fixture.append("x");
        fixture.log.abandon();
        java.nio.file.Files.delete(fixture.folder.resolve("00000000000000000000.txnindex"));
        fixture.open(0, false);
        assertEquals(List.of(new AbortedRange(1, 0)), aborted(0));
    }

    @Test
    void shouldRemakeATornTransactionIndexAtACleanStart() throws Exception {
        fixture.append(transactional(1, 0, "one"));
        end(1, true);
        fixture.append(transactional(2, 0, "two"));
        end(2, true);
        fixture.log.roll(true);
        fixture.append("x");
        fixture.log.close();
        java.nio.file.Path index = fixture.folder.resolve("00000000000000000000.txnindex");
        byte[] good = java.nio.file.Files.readAllBytes(index);
        java.nio.file.Files.write(index, java.util.Arrays.copyOf(good, good.length - 1));
        fixture.open(5, true);
        assertEquals(List.of(new AbortedRange(1, 0), new AbortedRange(2, 2)), aborted(0));
        assertEquals(
                java.util.HexFormat.of().formatHex(good),
                java.util.HexFormat.of().formatHex(java.nio.file.Files.readAllBytes(index)));
    }

    @Test
    void shouldKeepAnOpenTransactionOverARestart() {
        fixture.append("plain");
        fixture.append(transactional(1, 0, "one"));
        fixture.reopen();
        assertEquals(1, fixture.log.view().lastStableOffset());
        assertEquals(1, fixture.log.producers().getFirst().currentTxnStartOffset());
        end(1, true);
        assertEquals(3, fixture.log.view().lastStableOffset());
    }

    @Test
    void shouldFenceOldProducers() {
        fixture.append(TestBatches.idempotent(5, 3, 0, now(), "a"));
        Refused refused =
                assertInstanceOf(
                        Refused.class, fixture.append(TestBatches.idempotent(5, 2, 0, now(), "b")));
        assertEquals(Reason.INVALID_PRODUCER_EPOCH, refused.reason());
    }

    @Test
    void shouldForgetSilentProducers() {
        fixture.append(idempotent(5, 0, "a"));
        fixture.clock.advanceMs(LogSettings.DEFAULTS.producerIdExpirationMs() - 1);
        fixture.log.housekeep();
        assertEquals(1, fixture.log.producers().size());
        fixture.clock.advanceMs(1);
        fixture.log.housekeep();
        assertEquals(0, fixture.log.producers().size());
    }

    private long now() {
        return fixture.clock.wallMs();
    }

    private AppendOutcome stage(ByteBuffer batch) {
        return fixture.log.stage(TestBatches.checked(batch), AppendOrigin.CLIENT, 0);
    }

    private ByteBuffer idempotent(long producerId, int sequence, String... values) {
        return TestBatches.idempotent(producerId, 0, sequence, now(), values);
    }

    private ByteBuffer transactional(long producerId, int sequence, String... values) {
        return TestBatches.transactional(producerId, 0, sequence, now(), values);
    }

    private void end(long producerId, boolean abort) {
        assertInstanceOf(
                Appended.class,
                fixture.append(
                        TestBatches.marker(producerId, 0, abort, now()),
                        AppendOrigin.TRANSACTION_MARKER));
    }

    private List<String> readCommitted(long offset) {
        return fixture.readAll(offset, Isolation.LAST_STABLE, 1 << 20);
    }

    private List<AbortedRange> aborted(long offset) {
        return aborted(offset, Isolation.LAST_STABLE);
    }

    private List<AbortedRange> aborted(long offset, Isolation upTo) {
        ReadOutcome.Records records =
                assertInstanceOf(
                        ReadOutcome.Records.class,
                        fixture.log.read(new ReadRequest(offset, 1 << 20, true, upTo), null, true));
        if (records.slice() == null) assertNull(records.slice());
        else records.slice().close();
        return records.aborted();
    }

    @Test
    void shouldRecogniseEveryBatchInFlightAfterTwoCrashes() {
        for (int n = 0; n < 7; n++) {
            fixture.append(TestBatches.idempotent(7, 0, n * 2, fixture.clock.wallMs(), "a", "b"));
        }
        // The first recovery leaves a snapshot at the end, and a snapshot holds one batch only.
        fixture.crash();
        fixture.log.flush();
        fixture.crash();

        for (int n = 2; n < 7; n++) {
            assertEquals(
                    new Duplicate(2L * n, 2L * n + 1, -1, 0),
                    fixture.append(
                            TestBatches.idempotent(7, 0, n * 2, fixture.clock.wallMs(), "a", "b")));
        }
        assertEquals(
                new AppendOutcome.Appended(14, 15, -1, 0),
                fixture.append(TestBatches.idempotent(7, 0, 14, fixture.clock.wallMs(), "a", "b")));
    }
}
