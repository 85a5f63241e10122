// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.log;

import io.oxbow.base.file.FileSystem;
import io.oxbow.base.file.NativeFileSystem;
import io.oxbow.storage.log.ReadRequest.Isolation;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.record.internal.Record;

/** One log in a temporary folder, with short ways to append to it and read it. */
final class LogFixture {
    static final TopicPartition PARTITION = new TopicPartition("topic", 0);

    final SimClock clock = new SimClock();
    final Path folder;
    FileSystem files = NativeFileSystem.INSTANCE;
    LogSettings settings = LogSettings.DEFAULTS;
    PartitionLog log;

    LogFixture(Path parent) {
        folder = parent.resolve(PARTITION.toString());
    }

    /** Settings with small segments and dense indexes. */
    static LogSettings small(int segmentBytes) {
        return new SettingsBuilder().segmentBytes(segmentBytes).indexIntervalBytes(64).build();
    }

    PartitionLog open(long recoveryPoint, boolean clean) {
        return open(recoveryPoint, 0, clean);
    }

    PartitionLog open(long recoveryPoint, long logStart, boolean clean) {
        log =
                PartitionLog.open(
                        new PartitionLog.OpenSpec(
                                folder, PARTITION, settings, recoveryPoint, logStart, clean),
                        files,
                        clock);
        log.raiseHighWatermark(Long.MAX_VALUE);
        return log;
    }

    /** Closes in order and opens again. */
    PartitionLog reopen() {
        log.close();
        LogView view = log.view();
        return open(view.recoveryPoint(), view.logStartOffset(), true);
    }

    /** Leaves the files as they are and opens as after a crash. */
    PartitionLog crash() {
        log.abandon();
        LogView view = log.view();
        return open(view.recoveryPoint(), view.logStartOffset(), false);
    }

    AppendOutcome append(ByteBuffer batches, AppendOrigin origin) {
        AppendOutcome outcome = log.stage(TestBatches.checked(batches), origin, 0);
        log.writeStaged();
        log.raiseHighWatermark(Long.MAX_VALUE);
        return outcome;
    }

    AppendOutcome append(ByteBuffer batches) {
        return append(batches, AppendOrigin.CLIENT);
    }

    AppendOutcome append(String... values) {
        return append(TestBatches.plain(clock.wallMs(), values));
    }

    /** Everything from {@code offset} on as {@code offset:value}. */
    List<String> readAll(long offset) {
        return readAll(offset, Isolation.HIGH_WATERMARK, 1 << 20);
    }

    List<String> readAll(long offset, Isolation upTo, int maxBytes) {
        List<String> found = new ArrayList<>();
        ReadHint hint = new ReadHint();
        long next = offset;
        while (true) {
            ReadOutcome outcome = log.read(new ReadRequest(next, maxBytes, true, upTo), hint, true);
            if (!(outcome instanceof ReadOutcome.Records records)) {
                throw new AssertionError(outcome.toString());
            }
            if (records.slice() == null) return found;
            for (MutableRecordBatch batch : records(records.slice()).batches()) {
                batch.ensureValid();
                for (Record record : batch) {
                    if (record.offset() >= next && !batch.isControlBatch()) {
                        found.add(record.offset() + ":" + text(record.value()));
                    }
                }
                next = batch.nextOffset();
            }
        }
    }

    static MemoryRecords records(LogSlice slice) {
        try (slice) {
            ByteBuffer bytes = ByteBuffer.allocate(slice.sizeInBytes());
            slice.file().read(bytes, slice.position());
            return MemoryRecords.readableRecords(bytes.flip());
        }
    }

    static String text(ByteBuffer bytes) {
        return bytes == null ? null : StandardCharsets.UTF_8.decode(bytes).toString();
    }
}
