// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.compaction;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.oxbow.base.time.Clock;
import io.oxbow.storage.compaction.CompactionPlanner.Dirt;
import io.oxbow.storage.log.LogSettings;
import io.oxbow.storage.log.PartitionLog;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compaction leaves what Apache Kafka 4.4.0's cleaner left of the same log. */
class CompactionFormatTest {
    private static final Path GOLDEN = Path.of("src/test/resources/golden/compaction");

    @TempDir Path directory;

    private final Properties times = new Properties();
    private CompactionFixture log;
    private PartitionLog engine;
    private long nowMs;

    private final Clock clock =
            new Clock() {
                @Override
                public long wallMs() {
                    return nowMs;
                }

                @Override
                public long nanos() {
                    return nowMs * 1_000_000;
                }
            };

    @BeforeEach
    void openACopy() throws IOException {
        try (Reader reader = Files.newBufferedReader(GOLDEN.resolve("times.properties"))) {
            times.load(reader);
        }
        log = new CompactionFixture(directory);
        Files.createDirectories(log.folder);
        try (Stream<Path> files = Files.list(GOLDEN.resolve("before"))) {
            for (Path file : files.toList()) {
                Files.copy(file, log.folder.resolve(file.getFileName()));
            }
        }
        nowMs = time("first");
        engine = log.open(settings(), clock);
    }

    private static LogSettings settings() {
        return CompactionFixture.settings(1 << 20, 0, Long.MAX_VALUE, 60_000);
    }

    private long time(String name) {
        return Long.parseLong(times.getProperty(name));
    }

    private CompactionRun.Result compact() {
        CompactionConfig config = new CompactionConfig(1 << 20, 0.9, 4096, Double.MAX_VALUE, 1);
        CompactionRun.Tools tools =
                new CompactionRun.Tools(
                        log.files,
                        clock,
                        config,
                        new CompactionPace(clock, config.bytesPerSecond()));
        Dirt dirt = new Dirt(CompactionFixture.PARTITION, 0, 34, 0, 1, false);
        return new CompactionRun(LogSnapshot.of(log, engine), dirt, tools).run();
    }

    private void assertSameAs(String golden) throws IOException {
        Path expected = GOLDEN.resolve(golden);
        assertEquals(
                String.join("\n", CompactionFixture.describe(expected, log.files)),
                String.join("\n", CompactionFixture.describe(log.folder, log.files)));
        String index = "00000000000000000000.txnindex";
        assertArrayEquals(
                Files.readAllBytes(expected.resolve(index)),
                Files.readAllBytes(log.folder.resolve(index)));
    }

    @Test
    void shouldLeaveWhatKafkaLeaves() throws IOException {
        assertEquals(time("highWatermark"), engine.view().highWatermark());
        assertEquals(time("firstCleanUpTo"), compact().cleanUpTo());
        assertSameAs("after-first");
    }

    @Test
    void shouldDropTombstonesAndMarkersAfterTheirHorizonAsKafkaDoes() throws IOException {
        compact();
        nowMs = time("second");
        assertEquals(time("secondCleanUpTo"), compact().cleanUpTo());
        assertSameAs("after-second");
    }

    @Test
    void shouldOpenWithTheSameProducersAfterwards() {
        List<?> before = engine.producers();
        compact();
        engine.close();
        engine = log.open(settings(), clock);
        assertEquals(before, engine.producers());
        assertEquals(time("endOffset"), engine.view().endOffset());
    }
}
