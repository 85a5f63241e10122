// SPDX-License-Identifier: Apache-2.0
package io.oxbow.benchmarks;

import io.oxbow.base.file.NativeFileSystem;
import io.oxbow.base.time.SystemClock;
import io.oxbow.storage.batch.BatchCheck;
import io.oxbow.storage.batch.BatchCheckResult;
import io.oxbow.storage.batch.BatchCheckResult.Valid;
import io.oxbow.storage.log.AppendOrigin;
import io.oxbow.storage.log.AppendOutcome;
import io.oxbow.storage.log.LogSettings;
import io.oxbow.storage.log.PartitionLog;
import io.oxbow.storage.log.ReadHint;
import io.oxbow.storage.log.ReadOutcome;
import io.oxbow.storage.log.ReadRequest;
import io.oxbow.testkit.process.TempDir;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The three operations of the hot path on one partition: checking a client's batch, appending it,
 * finding a slice to send. Bytes per operation is {@code batchBytes}.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class EngineBenchmark {

    private static final int RECORD_BYTES = 1_000;
    private static final int PRODUCE_VERSION = 13;
    private static final long APPENDED_BYTES = 64L << 20;

    /** Size of the batch that is checked and appended, and of the slice that is read. */
    @Param({"16384", "131072"})
    private int batchBytes;

    private TempDir folder;
    private ByteBuffer batch;
    private PartitionLog readLog;
    private PartitionLog appendLog;
    private long appended;
    private long readAt;
    private int logs;
    private final ReadHint hint = new ReadHint();

    /** Writes the log that is read. */
    @Setup(Level.Trial)
    public void writeLog() {
        folder = TempDir.create("jmh");
        SimpleRecord[] records = new SimpleRecord[batchBytes / RECORD_BYTES];
        for (int i = 0; i < records.length; i++) {
            records[i] = new SimpleRecord(SystemClock.INSTANCE.wallMs(), new byte[RECORD_BYTES]);
        }
        batch = MemoryRecords.withRecords(Compression.NONE, records).buffer();
        readLog = open();
        for (long bytes = 0; bytes < APPENDED_BYTES; bytes += batch.remaining()) {
            append(readLog);
        }
        readLog.raiseHighWatermark(Long.MAX_VALUE);
        appendLog = open();
        startBatchAtZero();
    }

    /** An append has written its offset into the header; a client's batch begins at 0. */
    private void startBatchAtZero() {
        batch.putLong(batch.position(), 0);
    }

    @TearDown(Level.Trial)
    public void removeLogs() {
        readLog.abandon();
        appendLog.abandon();
        folder.close();
    }

    private PartitionLog open() {
        TopicPartition partition = new TopicPartition("jmh", logs++);
        return PartitionLog.open(
                new PartitionLog.OpenSpec(
                        folder.path().resolve(partition.toString()),
                        partition,
                        LogSettings.DEFAULTS,
                        0,
                        0,
                        true),
                NativeFileSystem.INSTANCE,
                SystemClock.INSTANCE);
    }

    private AppendOutcome append(PartitionLog log) {
        startBatchAtZero();
        if (!(BatchCheck.produced(batch.duplicate(), PRODUCE_VERSION) instanceof Valid valid)) {
            throw new IllegalStateException("the batch is not valid");
        }
        AppendOutcome outcome = log.stage(valid.batches(), AppendOrigin.CLIENT, 0);
        log.writeStaged();
        return outcome;
    }

    /** Header and CRC of one batch. */
    @Benchmark
    public BatchCheckResult check() {
        return BatchCheck.produced(batch, PRODUCE_VERSION);
    }

    /** Check, offsets, write to the page cache, publication; the log starts anew at 64 MiB. */
    @Benchmark
    public AppendOutcome append() {
        appended += batch.remaining();
        if (appended > APPENDED_BYTES) {
            appended = 0;
            appendLog.deleteNow();
            appendLog = open();
        }
        return append(appendLog);
    }

    /** A slice of the page cache to be sent, one after the other through the log. */
    @Benchmark
    public long read() {
        ReadRequest request =
                new ReadRequest(readAt, batchBytes, true, ReadRequest.Isolation.LOG_END);
        if (!(readLog.read(request, hint, true) instanceof ReadOutcome.Records found)) {
            throw new IllegalStateException("not readable at " + readAt);
        }
        if (found.slice() == null) {
            readAt = 0;
            return 0;
        }
        readAt = found.nextOffset();
        try (var slice = found.slice()) {
            return slice.sizeInBytes();
        }
    }
}
