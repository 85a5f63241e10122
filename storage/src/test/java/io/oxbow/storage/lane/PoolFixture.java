// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.lane;

import io.oxbow.base.file.NativeFileSystem;
import io.oxbow.base.thread.Threads;
import io.oxbow.storage.compaction.CompactionConfig;
import io.oxbow.storage.dir.MetaProperties;
import io.oxbow.storage.dir.MetaPropertiesFormat;
import io.oxbow.storage.doubles.FaultyFileSystem;
import io.oxbow.storage.doubles.SimTime;
import io.oxbow.storage.log.AppendOrigin;
import io.oxbow.storage.log.AppendOutcome;
import io.oxbow.storage.log.AppendRequest;
import io.oxbow.storage.log.LogSettings;
import io.oxbow.storage.log.ReadOutcome;
import io.oxbow.storage.log.ReadRequest;
import io.oxbow.storage.log.TestBatches;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.record.internal.Record;

/** A pool over temporary directories {@code d0, d1, ..}, with ways to append, read and kill. */
final class PoolFixture implements AutoCloseable {
    static final Uuid UNASSIGNED = new Uuid(0, 0);
    static final Uuid TOPIC_ID = new Uuid(7, 7);
    static final long CHECKPOINT_MS = 60_000;
    static final long RETENTION_MS = 300_000;

    final FaultyFileSystem files = new FaultyFileSystem(NativeFileSystem.INSTANCE);
    final SimTime time = new SimTime();
    final RecordingPoolListener listener = new RecordingPoolListener();
    final List<Path> directories = new ArrayList<>();
    LogSettings settings = LogSettings.DEFAULTS;
    long reserveBytes;
    int inboxCapacity = 1024;
    Set<Path> cordoned = Set.of();
    Path metadataDirectory;
    CompactionConfig compaction;
    LogPool pool;

    PoolFixture(Path root, int count) {
        for (int i = 0; i < count; i++) {
            Path directory = root.resolve("d" + i);
            NativeFileSystem.INSTANCE.createDirectories(directory);
            directories.add(directory);
            format(i, Uuid.randomUuid());
        }
        metadataDirectory = directories.getFirst();
    }

    void format(int number, Uuid id) {
        NativeFileSystem.INSTANCE.writeAtomically(
                directories.get(number).resolve(MetaProperties.FILE_NAME),
                MetaPropertiesFormat.render(MetaProperties.fresh("cluster", 1, id)));
    }

    Uuid id(int number) {
        Path file = directories.get(number).resolve(MetaProperties.FILE_NAME);
        return MetaPropertiesFormat.parse(NativeFileSystem.INSTANCE.readAll(file), file)
                .directoryId();
    }

    PoolFixture open() {
        pool =
                LogPool.open(
                        new LogPoolConfig(
                                directories,
                                metadataDirectory,
                                1,
                                null,
                                settings,
                                cordoned,
                                "space",
                                reserveBytes,
                                false,
                                2,
                                CHECKPOINT_MS,
                                RETENTION_MS,
                                compaction,
                                inboxCapacity),
                        files,
                        time,
                        time,
                        Threads.SYSTEM,
                        listener);
        return this;
    }

    /** As {@code kill -9} would leave it, then a start. */
    PoolFixture crash() {
        pool.abandon();
        return open();
    }

    PoolFixture restart() {
        pool.close();
        return open();
    }

    @Override
    public void close() {
        if (pool != null) pool.close();
    }

    static TopicPartition partition(int number) {
        return new TopicPartition("t", number);
    }

    /** The log of {@code t-number}, led by us alone, wherever it is or placement puts it. */
    HostedLog log(int number) {
        return log(number, UNASSIGNED);
    }

    HostedLog log(int number, Uuid directoryId) {
        HostedLog log = await(obtain(number, directoryId));
        await(log.lead(1, true));
        return log;
    }

    CompletableFuture<HostedLog> obtain(int number, Uuid directoryId) {
        return pool.obtain(partition(number), TOPIC_ID, directoryId, settings);
    }

    /** Sends one batch; the future completes with the answer. */
    CompletableFuture<AppendOutcome> send(HostedLog log, AppendOrigin origin, String... values) {
        CompletableFuture<AppendOutcome> answer = new CompletableFuture<>();
        ByteBuffer batch = TestBatches.plain(time.wallMs(), values);
        AppendRequest request =
                new AppendRequest(TestBatches.checked(batch), origin, 1, answer::complete);
        if (!log.append(request)) answer.completeExceptionally(new AssertionError("inbox full"));
        return answer;
    }

    AppendOutcome append(HostedLog log, String... values) {
        return await(send(log, AppendOrigin.CLIENT, values));
    }

    /** Everything in the log below the high watermark. */
    List<String> read(HostedLog log) {
        List<String> values = new ArrayList<>();
        long next = log.view().logStartOffset();
        while (next < log.view().highWatermark()) {
            ReadRequest request =
                    new ReadRequest(next, 1 << 20, true, ReadRequest.Isolation.HIGH_WATERMARK);
            CompletableFuture<ReadOutcome> outcome = new CompletableFuture<>();
            log.readLater(request, outcome::complete);
            if (!(await(outcome) instanceof ReadOutcome.Records found)) {
                throw new AssertionError(await(outcome).toString());
            }
            ByteBuffer bytes = ByteBuffer.allocate(found.slice().sizeInBytes());
            found.slice().file().read(bytes, found.slice().position());
            found.slice().close();
            for (MutableRecordBatch batch : MemoryRecords.readableRecords(bytes.flip()).batches()) {
                for (Record each : batch) {
                    if (each.offset() >= next) {
                        values.add(StandardCharsets.UTF_8.decode(each.value()).toString());
                    }
                }
                next = batch.nextOffset();
            }
        }
        return values;
    }

    /** Lets time pass and the lanes do what is due. */
    void pass(long ms) {
        time.pass(ms);
        settle();
    }

    /** Waits until the lanes have done all that was sent to them before. */
    void settle() {
        for (LogDirectory each : pool.directories()) {
            // Twice: what is due in slices posts itself again.
            if (each.lane() != null) await(each.lane().call(() -> null));
            if (each.lane() != null) await(each.lane().call(() -> null));
        }
    }

    DirectoryStatus status(int number) {
        return pool.status().get(number);
    }

    static <T> T await(CompletableFuture<T> future) {
        try {
            return future.get(30, TimeUnit.SECONDS);
        } catch (ExecutionException failure) {
            if (failure.getCause() instanceof RuntimeException cause) throw cause;
            throw new AssertionError(failure.getCause());
        } catch (InterruptedException | TimeoutException failure) {
            throw new AssertionError(failure);
        }
    }
}
