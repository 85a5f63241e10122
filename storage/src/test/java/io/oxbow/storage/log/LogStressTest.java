// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.oxbow.storage.log.ReadRequest.Isolation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.record.internal.Record;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Readers on other threads while the owner appends, rolls, retains and closes idle files. */
class LogStressTest {
    private static final int APPENDS = 6000;

    @TempDir Path parent;

    @Test
    void neverShowsAReaderAnythingButRecordsInOrder() throws InterruptedException {
        LogFixture fixture = new LogFixture(parent);
        fixture.settings =
                new SettingsBuilder()
                        .segmentBytes(8_000)
                        .indexIntervalBytes(200)
                        .retention(100_000, -1)
                        .build();
        fixture.open(0, true);
        AtomicBoolean done = new AtomicBoolean();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        AtomicLong seen = new AtomicLong();
        List<Thread> readers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            boolean mayBlock = i > 0;
            int seed = i;
            readers.add(
                    Thread.ofPlatform()
                            .start(
                                    () -> {
                                        try {
                                            Random random = new Random(seed);
                                            while (!done.get()) {
                                                seen.addAndGet(
                                                        follow(
                                                                fixture.log,
                                                                random,
                                                                mayBlock,
                                                                done));
                                            }
                                        } catch (Throwable caught) {
                                            failure.set(caught);
                                        }
                                    }));
        }
        for (int i = 0; i < APPENDS && failure.get() == null; i++) {
            fixture.append("value" + i);
            if (i % 50 == 0) fixture.log.applyRetention();
            if (i % 70 == 0) fixture.log.deleteNow();
            if (i % 90 == 0) fixture.log.housekeep();
            if (i % 200 == 0) fixture.log.flush();
        }
        done.set(true);
        for (Thread reader : readers) reader.join();
        assertNull(failure.get(), () -> stack(failure.get()));
        assertTrue(seen.get() > 1000, "records were read: " + seen);
        fixture.log.close();
    }

    /** Reads from a random offset to the end. */
    private static long follow(
            PartitionLog log, Random random, boolean mayBlock, AtomicBoolean done) {
        LogView view = log.view();
        long span = view.endOffset() - view.logStartOffset();
        long next = view.logStartOffset() + (long) (random.nextDouble() * span);
        ReadHint hint = random.nextBoolean() ? new ReadHint() : null;
        long count = 0;
        while (!done.get()) {
            ReadRequest request =
                    new ReadRequest(next, 1 + random.nextInt(3000), true, Isolation.HIGH_WATERMARK);
            ReadOutcome outcome = log.read(request, hint, mayBlock);
            if (!(outcome instanceof ReadOutcome.Records records)) return count;
            if (records.slice() == null) return count;
            for (MutableRecordBatch batch : LogFixture.records(records.slice()).batches()) {
                batch.ensureValid();
                for (Record record : batch) {
                    if (record.offset() < next) continue;
                    assertEquals(next, record.offset());
                    assertEquals("value" + next, LogFixture.text(record.value()));
                    next++;
                    count++;
                }
            }
        }
        return count;
    }

    private static String stack(Throwable failure) {
        java.io.StringWriter text = new java.io.StringWriter();
        failure.printStackTrace(new java.io.PrintWriter(text));
        return text.toString();
    }
}
