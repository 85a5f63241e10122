// SPDX-License-Identifier: Apache-2.0
package io.oxbow.metadata.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.apache.kafka.server.common.OffsetAndEpoch;
import org.junit.jupiter.api.Test;

class SnapshotRetentionTest {
    private static final OffsetAndEpoch OLD = new OffsetAndEpoch(10, 1);
    private static final OffsetAndEpoch NEW = new OffsetAndEpoch(20, 1);

    @Test
    void shouldKeepTheOnlySnapshotWhateverItsSizeAndAge() {
        assertEquals(Optional.empty(), reason(List.of(NEW), 1, 1, 1_000, 0, 1_000));
    }

    @Test
    void shouldGiveUpTheOldestWhenLogAndSnapshotsAreTooLarge() {
        assertTrue(reason(List.of(OLD, NEW), 100, -1, 101, 0, 0).orElseThrow().contains("size"));
        assertEquals(Optional.empty(), reason(List.of(OLD, NEW), 100, -1, 100, 0, 0));
    }

    @Test
    void shouldGiveUpTheOldestWhenItIsTooOld() {
        assertTrue(reason(List.of(OLD, NEW), -1, 50, 0, 100, 151).orElseThrow().contains("time"));
        assertEquals(Optional.empty(), reason(List.of(OLD, NEW), -1, 50, 0, 100, 150));
    }

    @Test
    void shouldKeepAllWithoutLimits() {
        assertEquals(Optional.empty(), reason(List.of(OLD, NEW), -1, -1, 1_000, 0, 1_000));
    }

    private static Optional<String> reason(
            List<OffsetAndEpoch> ids,
            long maxBytes,
            long maxMs,
            long bytes,
            long oldestMs,
            long nowMs) {
        MetadataLogLimits limits = new MetadataLogLimits(1, 1, maxBytes, maxMs, 1, 1);
        return SnapshotRetention.reason(
                ids, limits, any -> new SnapshotRetention.Facts(bytes, oldestMs, nowMs));
    }
}
