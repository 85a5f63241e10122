// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.compaction;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.oxbow.base.file.NativeFileSystem;
import io.oxbow.storage.log.AppendOrigin;
import io.oxbow.storage.log.LogSettings;
import io.oxbow.storage.log.SimClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.EndTransactionMarker;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;

/** Whatever is written, committed, aborted, rolled, compacted and reopened, in whatever order. */
class CompactionPropertyTest {
    private static final int STEPS = 120;
    private static final long DELETE_RETENTION_MS = 1_000;
    private static final LogSettings SETTINGS =
            CompactionFixture.settings(2_000, 0, Long.MAX_VALUE, DELETE_RETENTION_MS);

    @Property(tries = 40)
    void alwaysSaysTheLatestCommittedValueOfEachKey(@ForAll long seed) throws IOException {
        Path directory = Files.createTempDirectory("oxbow-compaction");
        try {
            Story story = new Story(new Random(seed), new CompactionFixture(directory));
            for (int i = 0; i < STEPS; i++) story.step();
            story.end();
        } finally {
            NativeFileSystem.INSTANCE.deleteTree(directory);
        }
    }

    /** One log, those who write to it, and what a reader must find. */
    private static final class Story {
        private static final int PRODUCERS = 3;

        private record Entry(String key, String value) {}

        private final Random random;
        private final CompactionFixture log;
        private final SimClock clock = new SimClock();

        /** Committed and plain records by their offset. */
        private final TreeMap<Long, Entry> committed = new TreeMap<>();

        /** Records of the open transaction of each producer; null: none is open. */
        private final List<TreeMap<Long, Entry>> open = new ArrayList<>();

        private final int[] nextSequence = new int[PRODUCERS];
        private Compactor compactor;

        Story(Random random, CompactionFixture log) {
            this.random = random;
            this.log = log;
            for (int i = 0; i < PRODUCERS; i++) open.add(null);
            openLog();
        }

        private void openLog() {
            log.open(SETTINGS, clock);
            compactor = new Compactor(log, CompactionConfig.DEFAULTS, log.files, clock);
        }

        void step() {
            clock.advanceMs(random.nextInt(200));
            int producer = random.nextInt(PRODUCERS);
            switch (random.nextInt(12)) {
                case 0, 1, 2 -> writePlain();
                case 3, 4, 5 -> writeInTransaction(producer);
                case 6 -> endTransaction(producer, ControlRecordType.COMMIT);
                case 7 -> endTransaction(producer, ControlRecordType.ABORT);
                case 8, 9 -> log.engine.roll(true);
                case 10 -> compactor.pass();
                default -> reopen();
            }
            check();
        }

        /** Ends all transactions and compacts until nothing is dirty, past all horizons. */
        void end() {
            for (int producer = 0; producer < PRODUCERS; producer++) {
                endTransaction(producer, ControlRecordType.ABORT);
            }
            for (int round = 0; round < 2; round++) {
                writePlain();
                log.engine.roll(true);
                while (compactor.pass()) check();
                clock.advanceMs(DELETE_RETENTION_MS + 1);
            }
            reopen();
            check();
        }

        private void check() {
            Map<String, String> expected = new TreeMap<>();
            committed
                    .headMap(log.engine.view().lastStableOffset())
                    .values()
                    .forEach(entry -> expected.put(entry.key(), entry.value()));
            expected.values().removeIf(value -> value == null);
            assertEquals(expected, CommittedReader.latest(log.engine));
        }

        private void reopen() {
            List<?> producers = log.engine.producers();
            log.engine.close();
            openLog();
            assertEquals(producers, log.engine.producers(), "producers after opening");
        }

        private void writePlain() {
            log.append(MemoryRecords.withRecords(codec(), records(committed)));
        }

        private void writeInTransaction(int producer) {
            if (open.get(producer) == null) open.set(producer, new TreeMap<>());
            SimpleRecord[] records = records(open.get(producer));
            log.append(
                    MemoryRecords.withTransactionalRecords(
                            codec(), producer, (short) 0, nextSequence[producer], records));
            nextSequence[producer] += records.length;
        }

        private void endTransaction(int producer, ControlRecordType type) {
            TreeMap<Long, Entry> written = open.set(producer, null);
            if (written == null) return;
            log.append(
                    MemoryRecords.withEndTransactionMarker(
                            clock.wallMs(), producer, (short) 0, new EndTransactionMarker(type, 0)),
                    AppendOrigin.COORDINATOR);
            if (type == ControlRecordType.COMMIT) committed.putAll(written);
        }

        private SimpleRecord[] records(Map<Long, Entry> into) {
            long offset = log.engine.view().endOffset();
            SimpleRecord[] records = new SimpleRecord[1 + random.nextInt(3)];
            for (int i = 0; i < records.length; i++) {
                String key = "key-" + random.nextInt(8);
                String value = random.nextInt(4) == 0 ? null : "value-" + random.nextInt(1_000_000);
                into.put(offset + i, new Entry(key, value));
                byte[] bytes = value == null ? null : value.getBytes(UTF_8);
                records[i] = new SimpleRecord(clock.wallMs(), key.getBytes(UTF_8), bytes);
            }
            return records;
        }

        private Compression codec() {
            return random.nextInt(3) == 0 ? Compression.gzip().build() : Compression.NONE;
        }
    }
}
