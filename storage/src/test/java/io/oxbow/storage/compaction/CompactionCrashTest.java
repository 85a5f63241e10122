// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.compaction;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.oxbow.base.file.NativeFileSystem;
import io.oxbow.storage.log.LogSettings;
import io.oxbow.storage.log.SimClock;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ObjIntConsumer;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that ends at any step of a compaction leaves a log that says the same. */
class CompactionCrashTest {
    private static final LogSettings SETTINGS =
            CompactionFixture.settings(500, 0, Long.MAX_VALUE, 86_400_000);

    private final SimClock clock = new SimClock();

    @TempDir Path root;

    /** Several segments that are merged into two or three. */
    private CompactionFixture filled(Path directory) {
        CompactionFixture log = new CompactionFixture(directory);
        log.files = new DyingFileSystem(NativeFileSystem.INSTANCE).view();
        log.open(SETTINGS, clock);
        for (int i = 0; i < 15; i++) {
            SimpleRecord record =
                    new SimpleRecord(
                            clock.wallMs(),
                            ("key-" + i % 5).getBytes(UTF_8),
                            i % 11 == 10 ? null : ("value-" + i).getBytes(UTF_8));
            log.append(MemoryRecords.withRecords(Compression.NONE, record));
            if (i % 4 == 3) log.engine.roll(true);
        }
        log.engine.flush();
        return log;
    }

    private static Map<String, String> latest(CompactionFixture log) {
        Map<String, String> latest = new LinkedHashMap<>();
        for (String line : CompactionFixture.keysAndValues(log.folder, log.files)) {
            String[] parts = line.split("=", 2);
            latest.remove(parts[0]);
            latest.put(parts[0], parts[1]);
        }
        return latest;
    }

    @Test
    void shouldSayTheSameWhateverStepItEndsAt() {
        assertSameAtEveryStep(DyingFileSystem::dieAfter);
    }

    @Test
    void shouldSayTheSameWhicheverStepFails() {
        assertSameAtEveryStep(DyingFileSystem::failOnceAfter);
    }

    private void assertSameAtEveryStep(ObjIntConsumer<DyingFileSystem> fault) {
        int steps = 0;
        boolean completed = false;
        while (!completed) completed = faultAfter(steps++, fault);
        assertTrue(steps > 30, "steps: " + steps);
    }

    /** Compacts with a file system that fails after some changes; true if it was done before. */
    private boolean faultAfter(int changes, ObjIntConsumer<DyingFileSystem> fault) {
        CompactionFixture log = filled(root.resolve("after-" + changes));
        Map<String, String> before = latest(log);
        long endOffset = log.engine.view().endOffset();
        log.engine.close();

        DyingFileSystem dying = new DyingFileSystem(NativeFileSystem.INSTANCE);
        log.files = dying.view();
        log.open(SETTINGS, clock);
        fault.accept(dying, changes);
        boolean completed = compact(log);
        log.files = new DyingFileSystem(NativeFileSystem.INSTANCE).view();

        log.open(SETTINGS, clock);
        String when = "after " + changes + " changes";
        assertEquals(endOffset, log.engine.view().endOffset(), when);
        assertEquals(before, latest(log), when);
        assertEquals(List.of(), leftovers(log), when);
        log.engine.close();
        if (completed) {
            assertTrue(
                    CompactionFixture.keysAndValues(log.folder, log.files).size() < 12,
                    "a run that ends has removed something");
        }
        return completed;
    }

    private boolean compact(CompactionFixture log) {
        Compactor compactor = new Compactor(log, CompactionConfig.DEFAULTS, log.files, clock);
        try {
            return compactor.pass() && compactor.status().runs() == 1;
        } catch (RuntimeException died) {
            return false;
        }
    }

    private static List<Path> leftovers(CompactionFixture log) {
        return log.files.list(log.folder).stream()
                .filter(path -> path.toString().matches(".*\\.(cleaned|swap|deleted)"))
                .toList();
    }
}
