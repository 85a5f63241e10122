// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.lane;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.oxbow.base.file.NativeFileSystem;
import io.oxbow.storage.compaction.CompactionConfig;
import io.oxbow.storage.compaction.CompactionStatus;
import io.oxbow.storage.dir.OffsetCheckpoint;
import io.oxbow.storage.log.AppendOrigin;
import io.oxbow.storage.log.AppendOutcome;
import io.oxbow.storage.log.AppendRequest;
import io.oxbow.storage.log.SettingsBuilder;
import io.oxbow.storage.log.TestBatches;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Compactors beside their lanes, on threads of their own. */
@Timeout(120)
class LaneCompactionTest {
    private static final int KEYS = 5;

    @TempDir Path root;

    private PoolFixture fixture;

    @BeforeEach
    void openAPool() {
        fixture = new PoolFixture(root, 1);
        fixture.settings = new SettingsBuilder().segmentBytes(600).compact().build();
        fixture.compaction = new CompactionConfig(1 << 20, 0.9, 4096, Double.MAX_VALUE, 1);
        fixture.open();
    }

    @AfterEach
    void closeThePool() {
        fixture.close();
    }

    private void append(HostedLog log, int number) {
        SimpleRecord record =
                new SimpleRecord(
                        fixture.time.wallMs(),
                        ("key-" + number % KEYS).getBytes(UTF_8),
                        ("value-" + number).getBytes(UTF_8));
        CompletableFuture<AppendOutcome> answer = new CompletableFuture<>();
        MemoryRecords batch = MemoryRecords.withRecords(Compression.NONE, record);
        assertTrue(
                log.append(
                        new AppendRequest(
                                TestBatches.checked(batch.buffer()),
                                AppendOrigin.CLIENT,
                                1,
                                answer::complete)));
        assertInstanceOf(AppendOutcome.Appended.class, PoolFixture.await(answer));
    }

    private CompactionStatus status() {
        return fixture.pool.compaction().values().iterator().next();
    }

    private Map<TopicPartition, Long> checkpoint() {
        return new OffsetCheckpoint(
                        NativeFileSystem.INSTANCE,
                        fixture.directories.getFirst(),
                        OffsetCheckpoint.CLEANER)
                .read();
    }

    private static void until(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            // By the time limit, which ends nothing else.
            if (Thread.interrupted()) throw new AssertionError("waited in vain");
            Thread.onSpinWait();
        }
    }

    @Test
    void shouldCompactWhileAppendsGoOn() {
        HostedLog log = fixture.log(0);
        int number = 0;
        for (int round = 0; round < 5; round++) {
            long runs = status().runs();
            for (int more = 0; more < 40; more++) append(log, number++);
            until(() -> status().runs() > runs);
        }
        for (int more = 0; more < KEYS; more++) append(log, number++);

        assertLatest(log, number);
        assertTrue(fixture.read(log).size() < number, "something was compacted");
        assertEquals(Map.of(), status().uncleanable());

        fixture.restart();
        assertLatest(fixture.log(0), number);
    }

    private void assertLatest(HostedLog log, int count) {
        List<String> values = fixture.read(log);
        for (int number = count - KEYS; number < count; number++) {
            assertTrue(values.contains("value-" + number), number + " of " + values);
        }
        assertEquals(count, log.view().endOffset());
    }

    @Test
    void shouldForgetHowCleanADeletedLogWas() {
        HostedLog log = fixture.log(0);
        for (int number = 0; status().runs() == 0; number++) append(log, number);
        until(() -> checkpoint().containsKey(PoolFixture.partition(0)));

        PoolFixture.await(fixture.pool.delete(PoolFixture.partition(0)));
        long pass = status().lastPassMs();
        fixture.time.pass(1);
        until(() -> status().lastPassMs() > pass);
        until(() -> !checkpoint().containsKey(PoolFixture.partition(0)));
    }

    @Test
    void shouldNotCompactALogWhoseTopicSaysDelete() {
        fixture.settings = new SettingsBuilder().segmentBytes(600).build();
        HostedLog log = fixture.log(0);
        for (int number = 0; number < 50; number++) append(log, number);
        long pass = status().lastPassMs();
        fixture.time.pass(1);
        until(() -> status().lastPassMs() > pass);
        assertEquals(0, status().runs());
        assertEquals(50, fixture.read(log).size());
    }
}
