// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.oxbow.storage.log.ReadRequest.Isolation;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RetentionTest {
    private static final long HOUR_MS = 3_600_000;

    @TempDir Path parent;
    private LogFixture fixture;

    @BeforeEach
    void makeFixture() {
        fixture = new LogFixture(parent);
    }

    /** Five segments of three batches, an hour apart. */
    private void fill(SettingsBuilder settings) {
        fixture.settings = settings.build();
        fixture.open(0, true);
        for (int i = 0; i < 15; i++) {
            if (i > 0 && i % 3 == 0) {
                fixture.log.roll(true);
                fixture.clock.advanceMs(HOUR_MS);
            }
            fixture.append("value" + i % 10);
        }
        assertEquals(5, fixture.log.segments().size());
    }

    @Test
    void shouldDeleteWhatIsTooOld() {
        fill(new SettingsBuilder().retention(-1, 2 * HOUR_MS));
        assertEquals(2, fixture.log.applyRetention());
        assertEquals(6, fixture.log.view().logStartOffset());
        assertEquals(0, fixture.log.applyRetention());
        assertEquals("6:value6", fixture.readAll(6).getFirst());
        assertInstanceOf(
                ReadOutcome.OutOfRange.class,
                fixture.log.read(
                        new ReadRequest(5, 100, true, Isolation.HIGH_WATERMARK), null, true));
    }

    @Test
    void shouldDeleteEvenTheActiveSegmentWhenAllIsTooOld() {
        fill(new SettingsBuilder().retention(-1, HOUR_MS));
        fixture.clock.advanceMs(10 * HOUR_MS);
        assertEquals(5, fixture.log.applyRetention());
        assertEquals(15, fixture.log.view().logStartOffset());
        assertEquals(15, fixture.log.view().endOffset());
        fixture.append("next");
        assertEquals(List.of("15:next"), fixture.readAll(15));
        fixture.crash();
        assertEquals(List.of("15:next"), fixture.readAll(15));
    }

    @Test
    void shouldKeepTheLatestBytes() {
        fill(new SettingsBuilder().retention(-1, -1));
        long segment = fixture.log.sizeBytes() / 5;
        fixture.log.reconfigure(new SettingsBuilder().retention(3 * segment, -1).build());
        assertEquals(2, fixture.log.applyRetention());
        assertEquals(3 * segment, fixture.log.sizeBytes());
    }

    @Test
    void shouldKeepMoreRatherThanLessThanTheBytesAskedFor() {
        fill(new SettingsBuilder().retention(-1, -1));
        long segment = fixture.log.sizeBytes() / 5;
        fixture.log.reconfigure(new SettingsBuilder().retention(3 * segment + 1, -1).build());
        assertEquals(1, fixture.log.applyRetention());
    }

    @Test
    void shouldNotDeleteAboveTheHighWatermark() {
        fill(new SettingsBuilder().retention(-1, HOUR_MS));
        fixture.log.close();
        fixture.log =
                PartitionLog.open(
                        new PartitionLog.OpenSpec(
                                fixture.folder,
                                LogFixture.PARTITION,
                                fixture.settings,
                                15,
                                0,
                                true),
                        fixture.files,
                        fixture.clock);
        fixture.clock.advanceMs(10 * HOUR_MS);
        fixture.log.raiseHighWatermark(4);
        assertEquals(1, fixture.log.applyRetention());
    }

    @Test
    void shouldNotDeleteFromACompactedTopicByAge() {
        fill(new SettingsBuilder().compact().retention(0, HOUR_MS).compact());
        fixture.clock.advanceMs(10 * HOUR_MS);
        assertEquals(0, fixture.log.applyRetention());
        fixture.log.raiseLogStart(7);
        assertEquals(7, fixture.log.view().logStartOffset());
        assertEquals(3, fixture.log.segments().size());
    }

    @Test
    void shouldGoByTheTimeOfTheFileWhenRecordsHaveNone() throws Exception {
        fixture.settings = new SettingsBuilder().retention(-1, HOUR_MS).build();
        fixture.open(0, true);
        ByteBuffer timeless = TestBatches.plain(-1, "a");
        fixture.append(timeless, AppendOrigin.COORDINATOR);
        fixture.log.roll(true);
        Path first = fixture.folder.resolve("00000000000000000000.log");
        fixture.files.setLastModifiedMs(first, fixture.clock.wallMs());
        assertEquals(0, fixture.log.applyRetention());
        fixture.clock.advanceMs(HOUR_MS + 1);
        fixture.log.segments();
        assertEquals(1, fixture.log.applyRetention());
    }

    @Test
    void shouldRemoveFilesAfterAWhileAndReadersMayFinish() throws Exception {
        fill(new SettingsBuilder().retention(-1, 2 * HOUR_MS));
        ReadOutcome.Records held =
                assertInstanceOf(
                        ReadOutcome.Records.class,
                        fixture.log.read(
                                new ReadRequest(0, 1 << 20, true, Isolation.HIGH_WATERMARK),
                                null,
                                true));
        fixture.log.applyRetention();
        assertTrue(anyDeleted());
        fixture.log.housekeep();
        assertTrue(anyDeleted());
        fixture.clock.advanceMs(LogSettings.DEFAULTS.fileDeleteDelayMs());
        fixture.log.housekeep();
        assertFalse(anyDeleted());
        assertEquals(0, LogFixture.records(held.slice()).batches().iterator().next().baseOffset());
    }

    @Test
    void shouldFreeRoomAtOnceWhenAsked() throws Exception {
        fill(new SettingsBuilder().retention(-1, 2 * HOUR_MS));
        fixture.log.applyRetention();
        fixture.log.deleteNow();
        assertFalse(anyDeleted());
    }

    @Test
    void shouldForgetLeaderEpochsThatAreGone() {
        fixture.settings = new SettingsBuilder().retention(-1, HOUR_MS).build();
        fixture.open(0, true);
        for (int i = 0; i < 6; i++) {
            fixture.log.stage(
                    TestBatches.checked(TestBatches.plain(fixture.clock.wallMs(), "v")),
                    AppendOrigin.CLIENT,
                    i / 2);
            fixture.log.writeStaged();
            fixture.log.roll(true);
        }
        fixture.log.raiseHighWatermark(6);
        assertEquals(new EpochEnd(0, 2), fixture.log.endOffsetForEpoch(0));
        fixture.log.raiseLogStart(3);
        assertEquals(new EpochEnd(0, 3), fixture.log.endOffsetForEpoch(0));
        assertEquals(new EpochEnd(1, 4), fixture.log.endOffsetForEpoch(1));
        assertEquals(1, fixture.log.epochForOffset(3));
        assertEquals(2, fixture.log.latestEpoch());
    }

    private boolean anyDeleted() throws Exception {
        try (Stream<Path> files = Files.list(fixture.folder)) {
            return files.anyMatch(file -> file.toString().endsWith(".deleted"));
        }
    }
}
