// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.log;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TimeLookupTest {
    @TempDir Path parent;

    @Test
    void shouldFindWhatAWalkOverAllRecordsFinds() {
        LogFixture fixture = new LogFixture(parent);
        fixture.settings = LogFixture.small(600);
        fixture.open(0, true);
        Random random = new Random(7);
        List<Long> timestamps = new ArrayList<>();
        long base = fixture.clock.wallMs() - 100_000;
        for (int i = 0; i < 120; i++) {
            SimpleRecord[] records = new SimpleRecord[1 + random.nextInt(4)];
            for (int r = 0; r < records.length; r++) {
                long timestamp = base + i * 20L + random.nextInt(200);
                timestamps.add(timestamp);
                records[r] = TestBatches.record(timestamp, "k", "v");
            }
            Compression codec = i % 2 == 0 ? Compression.NONE : Compression.lz4().build();
            ByteBuffer batch = MemoryRecords.withRecords(codec, records).buffer();
            fixture.append(batch);
        }
        for (boolean crash : new boolean[] {false, true}) {
            for (long at = base - 5; at < base + 3000; at += 13) {
                assertEquals(expected(timestamps, at), fixture.log.offsetForTimestamp(at).offset());
            }
            long max = timestamps.stream().mapToLong(Long::longValue).max().orElseThrow();
            assertEquals(
                    new TimestampOffset(max, timestamps.indexOf(max), 0),
                    fixture.log.offsetOfMaxTimestamp());
            if (crash) fixture.crash();
            else fixture.reopen();
        }
    }

    @Test
    void shouldNotFindWhatLiesBelowTheLogStart() {
        LogFixture fixture = new LogFixture(parent);
        fixture.open(0, true);
        long now = fixture.clock.wallMs();
        fixture.append(TestBatches.plain(now, "a", "b"));
        fixture.append(TestBatches.plain(now + 1, "c"));
        fixture.log.raiseLogStart(1);
        assertEquals(1, fixture.log.offsetForTimestamp(now).offset());
        assertEquals(new TimestampOffset(now + 1, 2, 0), fixture.log.offsetOfMaxTimestamp());
        assertEquals(TimestampOffset.NONE, fixture.log.offsetForTimestamp(now + 2));
    }

    @Test
    void shouldFindNothingInAnEmptyLog() {
        LogFixture fixture = new LogFixture(parent);
        fixture.open(0, true);
        assertEquals(TimestampOffset.NONE, fixture.log.offsetForTimestamp(0));
        assertEquals(TimestampOffset.NONE, fixture.log.offsetOfMaxTimestamp());
    }

    private static long expected(List<Long> timestamps, long at) {
        for (int offset = 0; offset < timestamps.size(); offset++) {
            if (timestamps.get(offset) >= at) return offset;
        }
        return -1;
    }
}
