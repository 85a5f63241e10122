// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.oxbow.base.file.NativeFileSystem;
import io.oxbow.storage.log.ReadRequest.Isolation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Random sequences of what can happen to a log, against a list of records. */
class LogPropertyTest {

    @Property(tries = 15)
    void alwaysReadsBackWhatWasKept(@ForAll long seed) throws IOException {
        Path parent = Files.createTempDirectory("log-property");
        try {
            new Run(parent, seed).steps(120);
        } finally {
            NativeFileSystem.INSTANCE.deleteTree(parent);
        }
    }

    private static final class Run {
        private final Random random;
        private final LogFixture fixture;
        private final List<String> model = new ArrayList<>();
        private long start;
        private int sequence;

        Run(Path parent, long seed) {
            random = new Random(seed);
            fixture = new LogFixture(parent);
            // No batch is larger than a segment: it would be refused.
            fixture.settings = LogFixture.small(350 + random.nextInt(2000));
            fixture.open(0, true);
        }

        void steps(int count) {
            for (int i = 0; i < count; i++) {
                step();
                check();
            }
            fixture.reopen();
            check();
        }

        private void step() {
            switch (random.nextInt(16)) {
                case 0 -> fixture.reopen();
                case 1 -> fixture.crash();
                case 2 -> fixture.log.roll(true);
                case 3 -> fixture.log.flush();
                case 4 -> truncate();
                case 5 -> raiseStart();
                case 6 -> fixture.log.housekeep();
                case 7, 8 -> appendIdempotent();
                case 9 -> stageMany();
                default -> append();
            }
        }

        private void append() {
            String[] values = values();
            assertAppended(fixture.append(values));
            add(values);
        }

        private void stageMany() {
            int count = 1 + random.nextInt(12);
            for (int i = 0; i < count; i++) {
                String[] values = values();
                assertAppended(
                        fixture.log.stage(
                                TestBatches.checked(
                                        TestBatches.plain(fixture.clock.wallMs(), values)),
                                AppendOrigin.CLIENT,
                                0));
                add(values);
            }
            fixture.log.writeStaged();
            fixture.log.raiseHighWatermark(Long.MAX_VALUE);
        }

        private void appendIdempotent() {
            String[] values = values();
            int next = lastSequence() + 1;
            if (sequence != next) sequence = next;
            AppendOutcome outcome =
                    fixture.append(
                            TestBatches.idempotent(7, 0, sequence, fixture.clock.wallMs(), values));
            assertAppended(outcome);
            sequence += values.length;
            add(values);
        }

        private static void assertAppended(AppendOutcome outcome) {
            assertTrue(outcome instanceof AppendOutcome.Appended, outcome::toString);
        }

        private int lastSequence() {
            return fixture.log.producers().stream()
                    .filter(producer -> producer.producerId() == 7)
                    .mapToInt(ProducerSnapshot::lastSequence)
                    .findAny()
                    .orElse(-1);
        }

        private String[] values() {
            String[] values = new String[1 + random.nextInt(3)];
            for (int i = 0; i < values.length; i++) {
                values[i] = "v" + random.nextInt(1000) + "x".repeat(random.nextInt(60));
            }
            return values;
        }

        private void add(String... values) {
            for (String value : values) model.add(start + model.size() + ":" + value);
        }

        /** At a batch boundary, as followers truncate. */
        private void truncate() {
            if (model.isEmpty()) return;
            long offset = boundary();
            fixture.log.truncateTo(offset);
            if (offset < end()) {
                model.subList((int) Math.max(0, offset - start), model.size()).clear();
            }
        }

        private long boundary() {
            long wanted = start + random.nextInt(model.size());
            ReadOutcome.Records found =
                    (ReadOutcome.Records)
                            fixture.log.read(
                                    new ReadRequest(wanted, 1, true, Isolation.LOG_END),
                                    null,
                                    true);
            long base = LogFixture.records(found.slice()).batches().iterator().next().baseOffset();
            return Math.max(start, base);
        }

        private long end() {
            return start + model.size();
        }

        private void raiseStart() {
            if (model.isEmpty()) return;
            long offset = start + random.nextInt(model.size() / 3 + 1);
            fixture.log.raiseLogStart(offset);
            model.subList(0, (int) (offset - start)).clear();
            start = offset;
        }

        private void check() {
            LogView view = fixture.log.view();
            assertEquals(end(), view.endOffset());
            assertEquals(start, view.logStartOffset());
            assertEquals(model, fixture.readAll(start, Isolation.LOG_END, 1 << 20));
            if (model.isEmpty()) return;
            int from = random.nextInt(model.size());
            assertEquals(
                    model.subList(from, model.size()),
                    fixture.readAll(
                            start + from, Isolation.HIGH_WATERMARK, 1 + random.nextInt(500)));
        }
    }
}
