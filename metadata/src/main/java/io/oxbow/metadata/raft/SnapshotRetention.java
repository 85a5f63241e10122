// SPDX-License-Identifier: Apache-2.0
package io.oxbow.metadata.raft;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.kafka.server.common.OffsetAndEpoch;

/** Decides whether the oldest snapshot, and the log before the next one, may go. Pure. */
final class SnapshotRetention {
    private SnapshotRetention() {}

    /**
     * What the decision needs.
     *
     * @param bytes of the log and all snapshots
     * @param oldestMs time of the last record that the oldest snapshot contains
     */
    record Facts(long bytes, long oldestMs, long nowMs) {}

    /**
     * Why the oldest snapshot should go; empty: it stays. The last one always stays.
     *
     * @param ids ascending
     * @param facts asked for only if they matter
     */
    static Optional<String> reason(
            List<OffsetAndEpoch> ids,
            MetadataLogLimits limits,
            Function<List<OffsetAndEpoch>, Facts> facts) {
        boolean unlimited = limits.retentionBytes() < 0 && limits.retentionMs() < 0;
        if (ids.size() < 2 || unlimited) return Optional.empty();
        Facts now = facts.apply(ids);
        if (limits.retentionBytes() >= 0 && now.bytes > limits.retentionBytes()) {
            return Optional.of(
                    now.bytes
                            + " bytes are more than retention by size, "
                            + limits.retentionBytes());
        }
        if (limits.retentionMs() >= 0 && now.nowMs - now.oldestMs > limits.retentionMs()) {
            return Optional.of(
                    "it is of "
                            + now.oldestMs
                            + " ms, older than retention by time, "
                            + limits.retentionMs()
                            + " ms");
        }
        return Optional.empty();
    }
}
