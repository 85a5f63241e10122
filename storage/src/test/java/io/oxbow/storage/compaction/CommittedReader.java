// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.compaction;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.oxbow.storage.log.LogSlice;
import io.oxbow.storage.log.PartitionLog;
import io.oxbow.storage.log.ReadHint;
import io.oxbow.storage.log.ReadOutcome;
import io.oxbow.storage.log.ReadOutcome.AbortedRange;
import io.oxbow.storage.log.ReadRequest;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;

/** Reads a log as a {@code read_committed} consumer does, and keeps the last value of each key. */
final class CommittedReader {
    private final Map<String, String> latest = new TreeMap<>();
    private final Set<Long> aborting = new HashSet<>();

    private CommittedReader() {}

    /** Values by key; keys whose last record is a tombstone are left out. */
    static Map<String, String> latest(PartitionLog log) {
        CommittedReader reader = new CommittedReader();
        long next = 0;
        while (true) {
            ReadOutcome outcome =
                    log.read(
                            new ReadRequest(next, 4096, true, ReadRequest.Isolation.LAST_STABLE),
                            new ReadHint(),
                            true);
            ReadOutcome.Records records = (ReadOutcome.Records) outcome;
            if (records.slice() == null) break;
            next = reader.read(records, next);
        }
        reader.latest.values().removeIf(value -> value == null);
        return reader.latest;
    }

    private long read(ReadOutcome.Records records, long from) {
        List<AbortedRange> aborted = new ArrayList<>(records.aborted());
        aborted.sort(Comparator.comparingLong(AbortedRange::firstOffset));
        aborting.clear();
        long next = from;
        for (RecordBatch batch : batches(records.slice()).batches()) {
            while (!aborted.isEmpty() && aborted.getFirst().firstOffset() <= batch.lastOffset()) {
                aborting.add(aborted.removeFirst().producerId());
            }
            next = batch.nextOffset();
            if (batch.isControlBatch()) {
                for (Record marker : batch) {
                    boolean abort =
                            ControlRecordType.parse(marker.key()) == ControlRecordType.ABORT;
                    if (abort) aborting.remove(batch.producerId());
                }
            } else if (!batch.isTransactional() || !aborting.contains(batch.producerId())) {
                for (Record record : batch) {
                    if (record.offset() >= from)
                        latest.put(text(record.key()), text(record.value()));
                }
            }
        }
        return next;
    }

    private static MemoryRecords batches(LogSlice slice) {
        try (slice) {
            ByteBuffer bytes = ByteBuffer.allocate(slice.sizeInBytes());
            slice.file().read(bytes, slice.position());
            return MemoryRecords.readableRecords(bytes.flip());
        }
    }

    private static String text(ByteBuffer bytes) {
        return bytes == null ? null : UTF_8.decode(bytes).toString();
    }
}
