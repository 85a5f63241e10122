// SPDX-License-Identifier: Apache-2.0
package io.oxbow.metadata.raft;

import io.oxbow.base.Invariant;
import io.oxbow.base.time.Clock;
import io.oxbow.storage.batch.CheckedBatches;
import io.oxbow.storage.log.AppendOrigin;
import io.oxbow.storage.log.AppendOutcome;
import io.oxbow.storage.log.EpochEnd;
import io.oxbow.storage.log.LogSlice;
import io.oxbow.storage.log.LogView;
import io.oxbow.storage.log.PartitionLog;
import io.oxbow.storage.log.ReadHint;
import io.oxbow.storage.log.ReadOutcome;
import io.oxbow.storage.log.ReadRequest;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.errors.OffsetOutOfRangeException;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.record.internal.Records;
import org.apache.kafka.raft.Isolation;
import org.apache.kafka.raft.LogAppendInfo;
import org.apache.kafka.raft.LogFetchInfo;
import org.apache.kafka.raft.LogOffsetMetadata;
import org.apache.kafka.raft.RaftLog;
import org.apache.kafka.raft.ValidOffsetAndEpoch;
import org.apache.kafka.server.common.OffsetAndEpoch;
import org.apache.kafka.snapshot.RawSnapshotReader;
import org.apache.kafka.snapshot.RawSnapshotWriter;

/**
 * The metadata log of {@code kafka-raft} over our storage engine (KIP-595, KIP-630), in {@code
 * <metadata directory>/__cluster_metadata-0}, which Apache Kafka 4.4 can take over and hand back.
 *
 * <p>Invariants: the log begins at 0 or at a snapshot's offset; nothing below the high watermark is
 * truncated; a snapshot ends at a batch boundary at or below the high watermark.
 *
 * <p>Owned by the raft thread, which opens, appends, truncates, flushes and closes. Reads and
 * snapshots come from the snapshot generator's thread too; they use only what the engine and {@link
 * SnapshotShelf} offer to any thread. Records that are read are copies (ADR 0015).
 */
public final class OxbowRaftLog implements RaftLog {

    /** The partition's name, as in Kafka. */
    public static final TopicPartition PARTITION = new TopicPartition("__cluster_metadata", 0);

    private final PartitionLog log;
    private final SnapshotShelf snapshots;
    private final MetadataLogLimits limits;
    private final Clock clock;

    private OxbowRaftLog(
            PartitionLog log, SnapshotShelf snapshots, MetadataLogLimits limits, Clock clock) {
        this.log = log;
        this.snapshots = snapshots;
        this.limits = limits;
        this.clock = clock;
    }

    /**
     * Opens the metadata log, made if it is not there. Everything is checked, from the first
     * segment on: the log is small, and a vote may depend on its last record. The calling thread
     * becomes the owner. Blocks.
     */
    public static OxbowRaftLog open(
            Path metadataDirectory, MetadataLogLimits limits, RaftSurroundings around) {
        Path folder = folder(metadataDirectory);
        around.files().createDirectories(folder);
        PartitionLog log =
                PartitionLog.open(
                        new PartitionLog.OpenSpec(
                                folder, PARTITION, limits.logSettings(), 0, 0, false),
                        around.files(),
                        around.clock());
        if (log.topicId() == null) log.assignTopicId(Uuid.METADATA_TOPIC_ID);
        SnapshotShelf snapshots =
                new SnapshotShelf(
                        folder, log.view().logStartOffset(), limits.deleteDelayMs(), around);
        OxbowRaftLog opened = new OxbowRaftLog(log, snapshots, limits, around.clock());
        // A follower may have died between a snapshot's arrival and the cut that it calls for.
        opened.truncateToLatestSnapshot();
        return opened;
    }

    /** Where the log lies. */
    public static Path folder(Path metadataDirectory) {
        return metadataDirectory.resolve(PARTITION.toString());
    }

    @Override
    public LogAppendInfo appendAsLeader(Records records, int epoch) {
        return append(records, AppendOrigin.RAFT_LEADER, epoch);
    }

    @Override
    public LogAppendInfo appendAsFollower(Records records, int epoch) {
        return append(records, AppendOrigin.REPLICATION, epoch);
    }

    private LogAppendInfo append(Records records, AppendOrigin origin, int epoch) {
        if (records.sizeInBytes() == 0) {
            throw new IllegalArgumentException("An append needs at least one batch");
        }
        AppendOutcome outcome = log.stage(checked((MemoryRecords) records), origin, epoch);
        return switch (outcome) {
            case AppendOutcome.Appended appended -> {
                log.writeStaged();
                yield new LogAppendInfo(appended.baseOffset(), appended.lastOffset());
            }
            case AppendOutcome.Duplicate duplicate ->
                    throw new CorruptRecordException(
                            "The metadata log has no producers: " + duplicate);
            case AppendOutcome.Refused refused ->
                    throw new CorruptRecordException(
                            "The metadata log refused an append at epoch "
                                    + epoch
                                    + ": "
                                    + refused.reason()
                                    + ", "
                                    + refused.message());
        };
    }

    private static CheckedBatches checked(MemoryRecords records) {
        int batches = 0;
        int count = 0;
        int largest = 0;
        int bytes = 0;
        long maxTimestampMs = -1;
        for (MutableRecordBatch batch : records.batches()) {
            batch.ensureValid();
            batches++;
            count += batch.countOrNull();
            largest = Math.max(largest, batch.sizeInBytes());
            bytes += batch.sizeInBytes();
            maxTimestampMs = Math.max(maxTimestampMs, batch.maxTimestamp());
        }
        if (batches == 0) throw new CorruptRecordException("A fetch without one whole batch");
        // A fetch by byte limit may end in a part of a batch: left out, it will come again.
        ByteBuffer whole = records.buffer().duplicate();
        whole.limit(whole.position() + bytes);
        return new CheckedBatches(whole.slice(), batches, count, largest, maxTimestampMs);
    }

    @Override
    public LogFetchInfo read(long startOffset, Isolation isolation, int maxTotalBatchBytes) {
        ReadRequest request =
                new ReadRequest(
                        startOffset,
                        maxTotalBatchBytes,
                        true,
                        isolation == Isolation.COMMITTED
                                ? ReadRequest.Isolation.HIGH_WATERMARK
                                : ReadRequest.Isolation.LOG_END);
        return switch (log.read(request, new ReadHint(), true)) {
            case ReadOutcome.Records found ->
                    found.slice() == null ? nothing(startOffset) : copy(found.slice());
            case ReadOutcome.OutOfRange out -> outOfRange(startOffset, out.view());
            case ReadOutcome.NotCached never ->
                    throw new IllegalStateException("a read that may block was refused");
            case ReadOutcome.Unavailable gone -> throw new IllegalStateException(gone.why());
        };
    }

    private static LogFetchInfo nothing(long offset) {
        return new LogFetchInfo(MemoryRecords.EMPTY, new LogOffsetMetadata(offset));
    }

    /** An offset between the high watermark and the end is no error, only nothing to read yet. */
    private static LogFetchInfo outOfRange(long offset, LogView view) {
        if (offset >= view.logStartOffset() && offset <= view.endOffset()) return nothing(offset);
        throw new OffsetOutOfRangeException(
                "Offset "
                        + offset
                        + " is outside the metadata log, which has "
                        + view.logStartOffset()
                        + " to "
                        + view.endOffset());
    }

    private static LogFetchInfo copy(LogSlice slice) {
        try (slice) {
            ByteBuffer bytes = ByteBuffer.allocate(slice.sizeInBytes());
            int read = slice.file().read(bytes, slice.position());
            Invariant.check(
                    read == slice.sizeInBytes(),
                    "a slice is in the file",
                    read,
                    slice.sizeInBytes());
            MemoryRecords records = MemoryRecords.readableRecords(bytes.flip());
            long firstOffset = records.batches().iterator().next().baseOffset();
            return new LogFetchInfo(records, new LogOffsetMetadata(firstOffset));
        }
    }

    @Override
    public int lastFetchedEpoch() {
        int epoch = log.latestEpoch();
        if (epoch >= 0) return epoch;
        Optional<OffsetAndEpoch> snapshot = snapshots.latest();
        if (snapshot.isEmpty()) return 0;
        LogView view = log.view();
        Invariant.check(
                snapshot.get().offset() == view.logStartOffset()
                        && snapshot.get().offset() == view.endOffset(),
                "a log without epochs is empty and begins at its snapshot",
                snapshot.get().offset(),
                view.endOffset());
        return snapshot.get().epoch();
    }

    @Override
    public OffsetAndEpoch endOffsetForEpoch(int epoch) {
        EpochEnd end = log.endOffsetForEpoch(epoch);
        if (end.endOffset() < 0) {
            return new OffsetAndEpoch(log.view().endOffset(), lastFetchedEpoch());
        }
        Optional<OffsetAndEpoch> earliest = snapshots.earliest();
        if (earliest.isPresent()
                && end.endOffset() == earliest.get().offset()
                && end.leaderEpoch() == epoch) {
            // What lies before the log's first epoch is known by the snapshot alone.
            return earliest.get();
        }
        return new OffsetAndEpoch(end.endOffset(), end.leaderEpoch());
    }

    @Override
    public LogOffsetMetadata endOffset() {
        return new LogOffsetMetadata(log.view().endOffset());
    }

    @Override
    public LogOffsetMetadata highWatermark() {
        return new LogOffsetMetadata(log.view().highWatermark());
    }

    @Override
    public long startOffset() {
        return log.view().logStartOffset();
    }

    @Override
    public void initializeLeaderEpoch(int epoch) {
        log.noteLeaderEpoch(epoch, log.view().endOffset());
    }

    @Override
    public void truncateTo(long offset) {
        if (offset < log.view().highWatermark()) {
            throw new IllegalArgumentException(
                    "Committed metadata may not be truncated: asked for offset "
                            + offset
                            + ", committed up to "
                            + log.view().highWatermark());
        }
        log.truncateTo(offset);
    }

    @Override
    public boolean truncateToLatestSnapshot() {
        Optional<OffsetAndEpoch> latest = snapshots.latest();
        if (latest.isEmpty()) return false;
        OffsetAndEpoch snapshot = latest.get();
        int epoch = Math.max(0, log.latestEpoch());
        boolean beyond =
                snapshot.epoch() > epoch
                        || (snapshot.epoch() == epoch
                                && snapshot.offset() > log.view().endOffset());
        if (!beyond) return false;
        log.truncateFullyAndStartAt(snapshot.offset());
        snapshots.retireBefore(snapshot, "the log begins anew at snapshot " + snapshot);
        return true;
    }

    @Override
    public void updateHighWatermark(LogOffsetMetadata highWatermark) {
        log.raiseHighWatermark(highWatermark.offset());
    }

    @Override
    public void flush(boolean forceFlushActiveSegment) {
        log.flush();
    }

    @Override
    public TopicPartition topicPartition() {
        return PARTITION;
    }

    @Override
    public Uuid topicId() {
        return Uuid.METADATA_TOPIC_ID;
    }

    @Override
    public Optional<RawSnapshotWriter> createNewSnapshot(OffsetAndEpoch id) {
        LogView view = log.view();
        if (id.offset() < view.logStartOffset()) return Optional.empty();
        if (id.offset() > view.highWatermark()) {
            throw new IllegalArgumentException(
                    "Snapshot " + id + " would hold more than is committed, " + view);
        }
        ValidOffsetAndEpoch valid = validateOffsetAndEpoch(id.offset(), id.epoch());
        if (valid.kind() != ValidOffsetAndEpoch.Kind.VALID) {
            throw new IllegalArgumentException("Snapshot " + id + " contradicts the log: " + valid);
        }
        // Followers append from a snapshot's offset on, so it must be where a batch begins.
        long batch = read(id.offset(), Isolation.COMMITTED, 1).startOffsetMetadata.offset();
        if (batch != id.offset()) {
            throw new IllegalArgumentException(
                    "Snapshot " + id + " would end inside the batch that begins at " + batch);
        }
        return createNewSnapshotUnchecked(id);
    }

    @Override
    public Optional<RawSnapshotWriter> createNewSnapshotUnchecked(OffsetAndEpoch id) {
        return snapshots.write(id);
    }

    @Override
    public Optional<RawSnapshotReader> readSnapshot(OffsetAndEpoch id) {
        return snapshots.read(id);
    }

    @Override
    public Optional<RawSnapshotReader> latestSnapshot() {
        return snapshots.latest().flatMap(snapshots::read);
    }

    @Override
    public Optional<OffsetAndEpoch> latestSnapshotId() {
        return snapshots.latest();
    }

    @Override
    public Optional<OffsetAndEpoch> earliestSnapshotId() {
        return snapshots.earliest();
    }

    @Override
    public void onSnapshotFrozen(OffsetAndEpoch id) {
        snapshots.add(id);
    }

    @Override
    public boolean deleteBeforeSnapshot(OffsetAndEpoch id) {
        return deleteBefore(id, "asked to keep only " + id + " and later");
    }

    private boolean deleteBefore(OffsetAndEpoch id, String reason) {
        Optional<OffsetAndEpoch> latest = snapshots.latest();
        if (latest.isEmpty()
                || !snapshots.contains(id)
                || startOffset() >= id.offset()
                || id.offset() > latest.get().offset()) {
            return false;
        }
        log.raiseLogStart(id.offset());
        int segments = log.applyRetention();
        int retired = snapshots.retireBefore(id, reason);
        return segments > 0 || retired > 0;
    }

    /**
     * Retires old snapshots and the segments before them, by size and age. Raft calls it once a
     * minute; segments that were retired long enough ago are removed on the way.
     */
    @Override
    public boolean maybeClean() {
        log.housekeep();
        boolean cleaned = false;
        while (true) {
            List<OffsetAndEpoch> ids = snapshots.ids();
            Optional<String> reason = SnapshotRetention.reason(ids, limits, this::facts);
            if (reason.isEmpty() || !deleteBefore(ids.get(1), reason.get())) return cleaned;
            cleaned = true;
        }
    }

    private SnapshotRetention.Facts facts(List<OffsetAndEpoch> ids) {
        long bytes = ids.stream().mapToLong(snapshots::sizeBytes).sum();
        return new SnapshotRetention.Facts(
                log.sizeBytes() + bytes,
                snapshots.lastContainedMs(ids.getFirst()).orElse(Long.MAX_VALUE),
                clock.wallMs());
    }

    /** Flushes and closes the files. */
    @Override
    public void close() {
        log.close();
        snapshots.close();
    }
}
