// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.compaction;

import io.oxbow.base.file.FileSystem;
import io.oxbow.base.file.NativeFileSystem;
import io.oxbow.base.time.Clock;
import io.oxbow.storage.batch.CheckedBatches;
import io.oxbow.storage.log.AppendOrigin;
import io.oxbow.storage.log.AppendOutcome;
import io.oxbow.storage.log.LogSettings;
import io.oxbow.storage.log.PartitionLog;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.record.internal.Record;

/** One real log whose "lane" is the calling thread, and what its files say in words. */
final class CompactionFixture implements CompactableLog, CompactionSite {
    static final TopicPartition PARTITION = new TopicPartition("t", 0);

    final Path directory;
    final Path folder;
    FileSystem files = NativeFileSystem.INSTANCE;
    PartitionLog engine;
    private String unavailable;

    CompactionFixture(Path directory) {
        this.directory = directory;
        this.folder = directory.resolve(PARTITION.toString());
    }

    PartitionLog open(LogSettings settings, Clock clock) {
        engine =
                PartitionLog.open(
                        new PartitionLog.OpenSpec(folder, PARTITION, settings, 0, 0, false),
                        files,
                        clock);
        engine.raiseHighWatermark(Long.MAX_VALUE);
        return engine;
    }

    /** Kafka's defaults for a compacted topic with these values. */
    static LogSettings settings(
            int segmentBytes, long minLagMs, long maxLagMs, long deleteRetentionMs) {
        LogSettings s = LogSettings.DEFAULTS;
        return new LogSettings(
                segmentBytes,
                s.segmentMs(),
                s.segmentJitterMs(),
                s.segmentIndexBytes(),
                s.indexIntervalBytes(),
                s.retentionBytes(),
                s.retentionMs(),
                s.maxMessageBytes(),
                s.flushMessages(),
                s.flushMs(),
                true,
                false,
                minLagMs,
                maxLagMs,
                s.minCleanableDirtyRatio(),
                deleteRetentionMs,
                s.fileDeleteDelayMs(),
                s.compressionType(),
                s.compressionLevel(),
                s.logAppendTime(),
                s.timestampBeforeMaxMs(),
                s.timestampAfterMaxMs(),
                s.producerIdExpirationMs(),
                s.preallocate());
    }

    void append(MemoryRecords batch) {
        append(batch, AppendOrigin.CLIENT);
    }

    void append(MemoryRecords batch, AppendOrigin origin) {
        CheckedBatches checked =
                new CheckedBatches(
                        batch.buffer(),
                        1,
                        batch.batches().iterator().next().countOrNull(),
                        batch.sizeInBytes(),
                        -1);
        AppendOutcome outcome = engine.stage(checked, origin, 0);
        if (!(outcome instanceof AppendOutcome.Appended)) {
            throw new AssertionError(outcome.toString());
        }
        engine.writeStaged();
        engine.raiseHighWatermark(Long.MAX_VALUE);
    }

    void becomeUnavailable(String why) {
        unavailable = why;
    }

    @Override
    public TopicPartition topicPartition() {
        return PARTITION;
    }

    @Override
    public String unavailableBecause() {
        return unavailable;
    }

    @Override
    public <T> CompletableFuture<T> onLane(Function<PartitionLog, T> action) {
        try {
            return CompletableFuture.completedFuture(action.apply(engine));
        } catch (RuntimeException failure) {
            return CompletableFuture.failedFuture(failure);
        }
    }

    @Override
    public Path directory() {
        return directory;
    }

    @Override
    public CompletableFuture<List<CompactableLog>> compactedLogs() {
        return CompletableFuture.completedFuture(List.of(this));
    }

    /** A line for each segment, batch and record of the log's files. */
    static List<String> describe(Path folder, FileSystem files) {
        List<String> lines = new ArrayList<>();
        files.list(folder).stream()
                .filter(path -> path.toString().endsWith(".log"))
                .sorted()
                .forEach(path -> describe(path, files, lines));
        return lines;
    }

    private static void describe(Path segment, FileSystem files, List<String> lines) {
        lines.add(segment.getFileName().toString());
        ByteBuffer bytes = ByteBuffer.wrap(files.readAll(segment));
        for (MutableRecordBatch batch : MemoryRecords.readableRecords(bytes).batches()) {
            batch.ensureValid();
            lines.add(
                    " %d-%d epoch %d producer %d/%d sequence %d %s%s%s max %d horizon %s"
                            .formatted(
                                    batch.baseOffset(),
                                    batch.lastOffset(),
                                    batch.partitionLeaderEpoch(),
                                    batch.producerId(),
                                    batch.producerEpoch(),
                                    batch.baseSequence(),
                                    batch.compressionType(),
                                    batch.isTransactional() ? " transactional" : "",
                                    batch.isControlBatch() ? " control" : "",
                                    batch.maxTimestamp(),
                                    batch.deleteHorizonMs()));
            for (Record record : batch) lines.add("  " + record);
        }
    }

    /** Keys and values of what a reader sees, in order. */
    static List<String> keysAndValues(Path folder, FileSystem files) {
        List<String> lines = new ArrayList<>();
        files.list(folder).stream()
                .filter(path -> path.toString().endsWith(".log"))
                .sorted()
                .forEach(
                        path -> {
                            ByteBuffer bytes = ByteBuffer.wrap(files.readAll(path));
                            for (var batch : MemoryRecords.readableRecords(bytes).batches()) {
                                if (batch.isControlBatch()) continue;
                                for (Record record : batch) {
                                    lines.add(text(record.key()) + "=" + text(record.value()));
                                }
                            }
                        });
        return lines;
    }

    private static String text(ByteBuffer bytes) {
        return bytes == null
                ? null
                : java.nio.charset.StandardCharsets.UTF_8.decode(bytes).toString();
    }
}
