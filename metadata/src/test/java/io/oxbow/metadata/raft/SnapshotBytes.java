// SPDX-License-Identifier: Apache-2.0
package io.oxbow.metadata.raft;

import java.nio.ByteBuffer;
import org.apache.kafka.common.message.SnapshotHeaderRecord;
import org.apache.kafka.common.record.internal.MemoryRecords;

/** The beginning of a snapshot, which says how recent its content is. */
final class SnapshotBytes {
    private SnapshotBytes() {}

    static MemoryRecords header(long lastContainedMs) {
        return MemoryRecords.withSnapshotHeaderRecord(
                0,
                lastContainedMs,
                1,
                ByteBuffer.allocate(256),
                new SnapshotHeaderRecord()
                        .setVersion((short) 0)
                        .setLastContainedLogTimestamp(lastContainedMs));
    }
}
