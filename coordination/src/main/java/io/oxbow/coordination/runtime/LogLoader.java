// SPDX-License-Identifier: Apache-2.0
package io.oxbow.coordination.runtime;

import io.oxbow.base.error.CorruptException;
import io.oxbow.base.error.DiskException;
import io.oxbow.base.thread.Threads;
import io.oxbow.base.time.Clock;
import io.oxbow.storage.log.LogSlice;
import io.oxbow.storage.log.ReadHint;
import io.oxbow.storage.log.ReadOutcome;
import io.oxbow.storage.log.ReadRequest;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.KafkaStorageException;
import org.apache.kafka.common.errors.NotLeaderOrFollowerException;
import org.apache.kafka.coordinator.common.runtime.CoordinatorLoader;
import org.apache.kafka.coordinator.common.runtime.CoordinatorPlayback;
import org.apache.kafka.coordinator.common.runtime.Deserializer;

/**
 * Reads a coordinator's partition from log start to log end and plays it. Each load is one virtual
 * thread; {@value #LOADS_PER_DIRECTORY} run at once for each directory, the others wait, so that an
 * election of many partitions does not fill the memory with read buffers. A directory that hangs
 * holds back what lies on it and nothing else. What is not in the page cache is read by the lane's
 * readers.
 */
public final class LogLoader<U> implements CoordinatorLoader<U> {
    static final int LOADS_PER_DIRECTORY = 4;

    private final LeaderLogs logs;
    private final Deserializer<U> deserializer;
    private final Threads threads;
    private final Clock clock;
    private final int bufferBytes;
    private final Consumer<TopicPartition> reload;

    /** By directory. Concurrent: each load takes one; a few directories, so none is removed. */
    private final ConcurrentHashMap<Uuid, Semaphore> slots = new ConcurrentHashMap<>();

    /** Written by {@link #close}, read by loads between two reads. */
    private volatile boolean closed;

    /**
     * @param bufferBytes most bytes of one read ({@code offsets.load.buffer.size}); a larger batch
     *     is read whole
     * @param reload told of a partition whose load has failed for a reason that may pass; nobody
     *     else would try again before the next election
     */
    public LogLoader(
            LeaderLogs logs,
            Deserializer<U> deserializer,
            Threads threads,
            Clock clock,
            int bufferBytes,
            Consumer<TopicPartition> reload) {
        this.logs = logs;
        this.deserializer = deserializer;
        this.threads = threads;
        this.clock = clock;
        this.bufferBytes = bufferBytes;
        this.reload = reload;
    }

    @Override
    public CompletableFuture<LoadSummary> load(
            TopicPartition partition, CoordinatorPlayback<U> playback) {
        CompletableFuture<LoadSummary> loaded = new CompletableFuture<>();
        long askedMs = clock.wallMs();
        threads.startTask(
                "oxbow-group-load-" + partition,
                () -> {
                    try {
                        loaded.complete(loadInTurn(partition, playback, askedMs));
                    } catch (Throwable failure) {
                        loaded.completeExceptionally(failure);
                        if (mayPass(partition, failure)) reload.accept(partition);
                    }
                });
        return loaded;
    }

    private boolean mayPass(TopicPartition partition, Throwable failure) {
        boolean disk = failure instanceof KafkaStorageException || failure instanceof DiskException;
        return disk && !closed && logs.find(partition).isPresent();
    }

    /** Running loads fail at their next read. */
    @Override
    public void close() {
        closed = true;
    }

    private LoadSummary loadInTurn(
            TopicPartition partition, CoordinatorPlayback<U> playback, long askedMs) {
        Semaphore slot = slotsOf(leaderLog(partition).directoryId());
        slot.acquireUninterruptibly();
        try {
            long startedMs = clock.wallMs();
            LeaderLog log = leaderLog(partition);
            RecordPlayer<U> player =
                    new RecordPlayer<>(
                            partition, deserializer, playback, log.view().logStartOffset());
            long bytes = playAll(partition, log, player);
            return new LoadSummary(
                    askedMs, clock.wallMs(), startedMs - askedMs, player.recordCount(), bytes);
        } finally {
            slot.release();
        }
    }

    private Semaphore slotsOf(Uuid directory) {
        return slots.computeIfAbsent(directory, _ -> new Semaphore(LOADS_PER_DIRECTORY));
    }

    private long playAll(TopicPartition partition, LeaderLog log, RecordPlayer<U> player) {
        ReadHint hint = new ReadHint();
        long bytes = 0;
        while (player.nextOffset() < log.view().endOffset()) {
            if (closed) throw new IllegalStateException("the loader is closed");
            if (leaderLog(partition).leaderEpoch() != log.leaderEpoch()) throw notLeader(partition);
            long from = player.nextOffset();
            ByteBuffer chunk = read(partition, log, from, hint);
            if (chunk == null) break;
            bytes += chunk.remaining();
            player.play(chunk, log.view().highWatermark());
            if (player.nextOffset() == from) {
                throw new CorruptException(partition + ": no whole batch at offset " + from);
            }
        }
        return bytes;
    }

    /** The bytes from {@code offset} on, or null if nothing is there any more. */
    private ByteBuffer read(TopicPartition partition, LeaderLog log, long offset, ReadHint hint) {
        ReadRequest request =
                new ReadRequest(offset, bufferBytes, true, ReadRequest.Isolation.LOG_END);
        ReadOutcome outcome = log.read(request, hint);
        if (outcome instanceof ReadOutcome.NotCached) {
            CompletableFuture<ReadOutcome> fromDisk = new CompletableFuture<>();
            log.readLater(request, fromDisk::complete);
            outcome = fromDisk.join();
        }
        return switch (outcome) {
            case ReadOutcome.Records records ->
                    records.slice() == null ? null : bytes(records.slice());
            case ReadOutcome.OutOfRange range ->
                    throw new NotLeaderOrFollowerException(
                            partition + ": " + offset + " is out of range, log is " + range.view());
            case ReadOutcome.Unavailable unavailable ->
                    throw new KafkaStorageException(partition + ": " + unavailable.why());
            case ReadOutcome.NotCached notCached ->
                    throw new IllegalStateException("a reader answers from the disk");
        };
    }

    private static ByteBuffer bytes(LogSlice slice) {
        try (slice) {
            ByteBuffer chunk = ByteBuffer.allocate(slice.sizeInBytes());
            slice.file().read(chunk, slice.position());
            return chunk.flip();
        }
    }

    private LeaderLog leaderLog(TopicPartition partition) {
        return logs.find(partition).orElseThrow(() -> notLeader(partition));
    }

    private static NotLeaderOrFollowerException notLeader(TopicPartition partition) {
        return new NotLeaderOrFollowerException(
                "This broker no longer leads " + partition + "; its groups are not loaded here");
    }
}
