// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Batches from before Kafka 0.11 are kept, indexed, recovered and served as they are. */
class OldMagicTest {
    @TempDir Path parent;

    @ParameterizedTest
    @CsvSource({"0,none", "0,gzip", "1,none", "1,gzip", "1,snappy", "1,lz4"})
    void shouldServeOldBatchesAmongNewOnes(byte magic, String codec) {
        LogFixture fixture = new LogFixture(parent);
        fixture.settings = LogFixture.small(1000);
        fixture.open(0, true);
        List<String> expected = new ArrayList<>();
        long now = fixture.clock.wallMs();
        for (int i = 0; i < 40; i++) {
            SimpleRecord[] records = new SimpleRecord[3];
            long base = fixture.log.view().endOffset();
            for (int r = 0; r < 3; r++) {
                long timestamp = magic == 0 ? -1 : now + i * 10L + r;
                records[r] = TestBatches.record(timestamp, "k", "v" + i + r);
                expected.add(base + r + ":v" + i + r);
            }
            ByteBuffer batches =
                    MemoryRecords.withRecords(magic, base, Compression.of(codec).build(), records)
                            .buffer();
            assertInstanceOf(
                    AppendOutcome.Appended.class,
                    fixture.append(batches, AppendOrigin.REPLICATION));
        }
        fixture.append("new");
        expected.add("120:new");
        checkAll(fixture, expected);
        fixture.reopen();
        checkAll(fixture, expected);
        fixture.crash();
        checkAll(fixture, expected);
        if (magic == 1) {
            assertEquals(61, fixture.log.offsetForTimestamp(now + 201).offset(), "20th batch, 2nd");
        }
        fixture.log.truncateTo(60);
        checkAll(fixture, expected.subList(0, 60));
    }

    private static void checkAll(LogFixture fixture, List<String> expected) {
        assertEquals(expected, fixture.readAll(0));
        for (int offset = 0; offset < expected.size(); offset += 7) {
            assertEquals(expected.subList(offset, expected.size()), fixture.readAll(offset));
        }
    }
}
