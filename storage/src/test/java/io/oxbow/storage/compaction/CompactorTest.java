// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.compaction;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.oxbow.base.error.DiskException;
import io.oxbow.base.file.FileSystem;
import io.oxbow.base.file.StoreFile;
import io.oxbow.storage.dir.OffsetCheckpoint;
import io.oxbow.storage.doubles.FaultyFileSystem;
import io.oxbow.storage.doubles.FaultyFileSystem.Operation;
import io.oxbow.storage.log.AppendOrigin;
import io.oxbow.storage.log.LogSettings;
import io.oxbow.storage.log.LogSlice;
import io.oxbow.storage.log.ReadHint;
import io.oxbow.storage.log.ReadOutcome;
import io.oxbow.storage.log.ReadRequest;
import io.oxbow.storage.log.SimClock;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.EndTransactionMarker;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompactorTest {
    private static final LogSettings SETTINGS =
            CompactionFixture.settings(1 << 20, 0, Long.MAX_VALUE, 86_400_000);
    private static final TopicPartition ID = CompactionFixture.PARTITION;

    @TempDir Path directory;

    private final SimClock clock = new SimClock();
    private CompactionFixture log;

    @BeforeEach
    void openALog() {
        log = new CompactionFixture(directory);
        log.open(SETTINGS, clock);
    }

    private Compactor compactor(CompactionConfig config) {
        return new Compactor(log, config, log.files, clock);
    }

    private Compactor compactor() {
        return compactor(CompactionConfig.DEFAULTS);
    }

    private void append(String... keysAndValues) {
        SimpleRecord[] records = new SimpleRecord[keysAndValues.length];
        for (int i = 0; i < records.length; i++) {
            String[] parts = keysAndValues[i].split("=", 2);
            records[i] =
                    new SimpleRecord(
                            clock.wallMs(),
                            parts[0].getBytes(UTF_8),
                            parts.length == 1 ? null : parts[1].getBytes(UTF_8));
        }
        log.append(MemoryRecords.withRecords(Compression.NONE, records));
    }

    private List<String> survivors() {
        return CompactionFixture.keysAndValues(log.folder, log.files);
    }

    private Map<TopicPartition, Long> checkpoint() {
        return new OffsetCheckpoint(log.files, directory, OffsetCheckpoint.CLEANER).read();
    }

    @Test
    void shouldKeepTheLatestRecordOfEachKeyAndNoteHowFarItCame() {
        append("a=1", "b=1");
        append("a=2");
        log.engine.roll(true);
        append("b=2");

        assertTrue(compactor().pass());

        assertEquals(List.of("b=1", "a=2", "b=2"), survivors(), "the active segment is left");
        assertEquals(Map.of(ID, 3L), checkpoint());
        assertFalse(compactor().pass(), "nothing is dirty any more");
    }

    @Test
    void shouldGoOnFromTheCheckpointAndMergeSegments() {
        for (int round = 0; round < 3; round++) {
            append("a=" + round, "b" + round + "=x");
            log.engine.roll(true);
            compactor().pass();
        }
        assertEquals(List.of("b0=x", "b1=x", "a=2", "b2=x"), survivors());
        assertEquals(2, log.engine.segments().size(), "one clean segment and the active one");
    }

    @Test
    void shouldTakeSeveralRunsWhenKeysDoNotFitIntoTheMap() {
        for (int i = 0; i < 40; i++) append("k" + i % 20 + "=" + i);
        log.engine.roll(true);
        append("z=z");
        CompactionConfig tiny =
                new CompactionConfig(10 * KeyOffsets.ENTRY_BYTES, 0.9, 4096, 1e300, 1);
        Compactor compactor = compactor(tiny);
        int runs = 0;
        while (compactor.pass()) runs++;
        assertTrue(runs > 1, "runs: " + runs);
        assertEquals(21, survivors().size());
        assertEquals("k0=20", survivors().get(0));
    }

    @Test
    void shouldSetALogAsideThatCannotBeCompactedAndSayWhy() {
        append("a=1");
        append("a=2");
        log.engine.roll(true);
        flipAByte(log.engine.segments().get(0).logPath());
        Compactor compactor = compactor();
        compactor.pass();
        assertTrue(
                compactor.status().uncleanable().get(ID).contains("is damaged"),
                compactor.status().toString());
        assertFalse(compactor.pass(), "it is left alone");
        assertEquals(2, log.engine.segments().size());
        assertNoLeftovers();
    }

    @Test
    void shouldGoOnWithTheOtherLogsWhenOneMeetsAnError() {
        append("a=1");
        append("a=2");
        log.engine.roll(true);
        FaultyFileSystem files = new FaultyFileSystem(log.files);
        log.files = files;
        files.add(
                (operation, path) ->
                        operation == Operation.WRITE && path.toString().endsWith(".cleaned"),
                () -> {
                    throw new InternalError("as if");
                });
        Compactor compactor = compactor();
        compactor.pass();
        assertTrue(
                compactor.status().uncleanable().get(ID).contains("as if"),
                compactor.status().toString());
        assertFalse(compactor.pass(), "it is left alone");
        assertNoLeftovers();
    }

    /** A file system may make later renames durable and lose earlier ones that were not synced. */
    @Test
    void shouldMakeEachStepOfAnExchangeDurableBeforeTheNext() {
        FaultyFileSystem files = new FaultyFileSystem(log.files);
        log.engine.close();
        log.files = files;
        log.open(SETTINGS, clock);
        append("a=1");
        append("a=2");
        log.engine.roll(true);
        append("a=3");
        log.engine.roll(true);
        List<String> steps = new ArrayList<>();
        files.add(
                (operation, path) -> {
                    String step = step(operation, path);
                    if (!step.isEmpty() && (steps.isEmpty() || !steps.getLast().equals(step))) {
                        steps.add(step);
                    }
                    return false;
                },
                () -> {});
        compactor().pass();
        assertEquals(
                List.of("complete", "sync", "old ones go", "sync", "in place", "sync"),
                steps.stream().limit(6).toList());
    }

    private String step(Operation operation, Path path) {
        if (operation == Operation.SYNC) return path.equals(log.folder) ? "sync" : "";
        if (operation != Operation.RENAME) return "";
        if (path.toString().endsWith(".cleaned")) return "complete";
        return path.toString().endsWith(".swap") ? "in place" : "old ones go";
    }

    @Test
    void neverTriesAgainAnExchangeThatWasDoneInPart() {
        append("a=1");
        append("a=2");
        log.engine.roll(true);
        FaultyFileSystem files = new FaultyFileSystem(log.files);
        log.files = files;
        files.fail(
                DiskException.Kind.FULL,
                (operation, path) ->
                        operation == Operation.RENAME && path.toString().endsWith(".swap"));
        Compactor compactor = compactor();
        compactor.pass();
        assertTrue(
                compactor.status().uncleanable().get(ID).contains("only in part"),
                compactor.status().toString());
    }

    /** As retention does while a compaction of the log goes on. */
    private void onceWhenCleaningBegins(Runnable action) {
        FaultyFileSystem files = new FaultyFileSystem(log.files);
        log.files = files;
        AtomicBoolean done = new AtomicBoolean();
        files.add(
                (operation, path) ->
                        operation == Operation.WRITE && path.toString().endsWith(".cleaned"),
                () -> {
                    if (done.compareAndSet(false, true)) action.run();
                });
    }

    @Test
    void shouldComeBackToALogWhoseStartWasDeletedMeanwhile() {
        append("a=1");
        log.engine.roll(true);
        append("b=1");
        log.engine.roll(true);
        append("a=2", "b=2");
        log.engine.raiseHighWatermark(4);
        // A group of its own for each segment.
        log.engine.reconfigure(CompactionFixture.settings(80, 0, Long.MAX_VALUE, 86_400_000));
        onceWhenCleaningBegins(
                () -> {
                    log.engine.raiseLogStart(2);
                    log.engine.deleteNow();
                });
        Compactor compactor = compactor();
        assertThrows(CancellationException.class, compactor::pass);
        assertEquals(Map.of(), compactor.status().uncleanable());
        log.engine.roll(true);
        assertTrue(compactor.pass());
        assertEquals(List.of("a=2", "b=2"), survivors());
    }

    @Test
    void shouldNotMissASegmentThatItReplacedItself() {
        FaultyFileSystem files = new FaultyFileSystem(log.files);
        log.files = files;
        // The delay before deleted files go is over at once.
        files.add(
                (operation, path) ->
                        operation == Operation.WRITE && path.toString().endsWith(".cleaned"),
                log.engine::deleteNow);
        append("a=1");
        log.engine.roll(true);
        append("b=1");
        log.engine.roll(true);
        append("c=1");
        log.engine.reconfigure(CompactionFixture.settings(80, 0, Long.MAX_VALUE, 86_400_000));
        Compactor compactor = compactor();
        assertTrue(compactor.pass());
        for (int i = 2; i < 6; i++) {
            append("a=" + i);
            log.engine.roll(true);
        }
        assertTrue(compactor.pass());
        assertEquals(Map.of(), compactor.status().uncleanable());
        assertEquals(List.of("b=1", "c=1", "a=5"), survivors());
    }

    private void flipAByte(Path segment) {
        try (StoreFile file = log.files.open(segment, FileSystem.Mode.WRITE)) {
            ByteBuffer last = ByteBuffer.allocate(1);
            file.read(last, file.size() - 1);
            last.put(0, (byte) (last.get(0) ^ 1)).rewind();
            file.write(last, file.size() - 1);
        }
    }

    @Test
    void shouldReplaceNothingWhenTheLogWasCutMeanwhile() {
        append("a=1");
        append("a=2");
        log.engine.roll(true);
        LogSnapshot before = LogSnapshot.of(log, log.engine);
        assertTrue(before.stillHolds(log.engine, before.segments().subList(0, 1)));
        log.engine.truncateTo(1);
        assertFalse(before.stillHolds(log.engine, before.segments().subList(0, 1)));
    }

    @Test
    void shouldBeginAgainWhereTheLogWasCut() {
        append("a=1", "b=1");
        log.engine.roll(true);
        Compactor compactor = compactor();
        assertTrue(compactor.pass());
        compactor.cut(ID, 1);
        compactor.pass();
        assertEquals(Map.of(ID, 2L), checkpoint(), "cleaned again from 1 on");
        compactor.cut(ID, 0);
        assertTrue(compactor.pass(), "dirty from its start");
    }

    @Test
    void shouldLeaveNothingBehindWhenTheLogGoesAway() {
        append("a=1");
        log.engine.roll(true);
        log.becomeUnavailable("deleted");
        Compactor compactor = compactor();
        try {
            compactor.pass();
        } catch (CancellationException given) {
            assertEquals("deleted", given.getMessage());
        }
        assertTrue(compactor.status().uncleanable().isEmpty());
        assertNoLeftovers();
    }

    @Test
    void shouldReadOnAcrossASegmentThatHasBecomeEmpty() {
        append("a=1");
        log.engine.roll(true);
        append("a=2", "b=1");
        log.engine.roll(true);
        append("c=1");
        // Too small for two in one.
        log.engine.reconfigure(CompactionFixture.settings(80, 0, Long.MAX_VALUE, 86_400_000));
        compactor().pass();
        assertEquals(0, log.engine.segments().get(0).sizeBytes());
        assertEquals(List.of(1L, 1L, 1L, 3L), firstOffsetsReadFrom(0, 1, 2, 3));

        log.engine.close();
        log.open(SETTINGS, clock);
        assertEquals(4, log.engine.view().endOffset());
        assertEquals(0, log.engine.view().logStartOffset());
        assertEquals(List.of(1L, 1L, 1L, 3L), firstOffsetsReadFrom(0, 1, 2, 3));
        assertEquals(1, log.engine.offsetForTimestamp(0).offset());
    }

    @Test
    void shouldNoteKeysOfAProducerWhoseEarlierTransactionWasAborted() {
        append("a=1");
        appendInTransaction(0, "b=aborted");
        endTransaction(ControlRecordType.ABORT);
        log.engine.roll(true);
        assertTrue(compactor().pass());

        String later = "2".repeat(200);
        appendInTransaction(1, "a=" + later);
        endTransaction(ControlRecordType.COMMIT);
        log.engine.roll(true);
        append("c=1");
        assertTrue(compactor().pass());

        assertEquals(List.of("a=" + later, "c=1"), survivors());
    }

    private void appendInTransaction(int sequence, String keyAndValue) {
        String[] parts = keyAndValue.split("=", 2);
        SimpleRecord record =
                new SimpleRecord(
                        clock.wallMs(), parts[0].getBytes(UTF_8), parts[1].getBytes(UTF_8));
        log.append(
                MemoryRecords.withTransactionalRecords(
                        Compression.NONE, 7, (short) 0, sequence, record));
    }

    private void endTransaction(ControlRecordType type) {
        log.append(
                MemoryRecords.withEndTransactionMarker(
                        clock.wallMs(), 7, (short) 0, new EndTransactionMarker(type, 0)),
                AppendOrigin.COORDINATOR);
    }

    /** Base offset of the first batch that a reader gets at each of these offsets. */
    private List<Long> firstOffsetsReadFrom(long... offsets) {
        List<Long> found = new ArrayList<>();
        for (long offset : offsets) {
            ReadOutcome outcome =
                    log.engine.read(
                            new ReadRequest(
                                    offset, 1 << 16, true, ReadRequest.Isolation.HIGH_WATERMARK),
                            new ReadHint(),
                            true);
            ReadOutcome.Records records = (ReadOutcome.Records) outcome;
            try (LogSlice slice = records.slice()) {
                ByteBuffer bytes = ByteBuffer.allocate(slice.sizeInBytes());
                slice.file().read(bytes, slice.position());
                found.add(
                        MemoryRecords.readableRecords(bytes.flip())
                                .batches()
                                .iterator()
                                .next()
                                .baseOffset());
            }
        }
        return found;
    }

    private void assertNoLeftovers() {
        assertTrue(
                log.files.list(log.folder).stream()
                        .noneMatch(path -> path.toString().endsWith(".cleaned")));
    }
}
