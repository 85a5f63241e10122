// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.log;

import io.oxbow.base.error.CorruptException;
import io.oxbow.base.file.FileSystem;
import io.oxbow.base.file.StoreFile;
import io.oxbow.storage.batch.BatchFormat;
import io.oxbow.storage.batch.OpenedBatch;
import io.oxbow.storage.producer.CompletedTransaction;
import io.oxbow.storage.producer.ProducerEntry;
import io.oxbow.storage.producer.ProducerRules;
import io.oxbow.storage.producer.ProducerSnapshotFormat;
import io.oxbow.storage.producer.ProducerTable;
import io.oxbow.storage.producer.ProducerVerdict;
import io.oxbow.storage.segment.AbortedTransaction;
import io.oxbow.storage.segment.BatchScanner;
import io.oxbow.storage.segment.Segment;
import io.oxbow.storage.segment.SegmentFormat;
import io.oxbow.storage.segment.SharedFile;
import io.oxbow.storage.segment.TransactionIndex;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The producers of a log together with their snapshots on disk: takes snapshots, and makes the
 * table anew from the latest good one and the batches after it. Owned by the owner of the log.
 */
final class ProducerHistory {
    private static final Logger log = LoggerFactory.getLogger(ProducerHistory.class);

    /** So small that of all but small batches only the headers are read. */
    private static final int HEADERS_CHUNK = 16 * 1024;

    private final FileSystem files;
    private final ProducerTable table = new ProducerTable();
    private final TreeSet<Long> snapshots;

    /** Snapshots that were written but not synced. */
    private final List<Path> unsynced = new ArrayList<>();

    private final Path folder;

    /** Snapshot that the table was restored from, -1 if it was made from batches alone. */
    private long restoredFrom = -1;

    ProducerHistory(Path folder, FileSystem files, Collection<Long> snapshots) {
        this.folder = folder;
        this.files = files;
        this.snapshots = new TreeSet<>(snapshots);
    }

    ProducerTable table() {
        return table;
    }

    /**
     * Offset of the snapshot that the table was restored from: of what was written before it, one
     * batch of each producer is known. -1 if nothing is missing.
     */
    long restoredFrom() {
        return restoredFrom;
    }

    /** Offset of the latest snapshot, -1 if there is none. */
    long latestSnapshot() {
        return snapshots.isEmpty() ? -1 : snapshots.last();
    }

    private Path path(long offset) {
        return folder.resolve(SegmentFormat.name(offset, SegmentFormat.SNAPSHOT));
    }

    /** Writes the table as it is now, at {@code offset}, unless there is a snapshot that late. */
    void takeSnapshot(long offset) {
        if (offset <= latestSnapshot() || offset == 0) return;
        table.endOffset(offset);
        Path path = path(offset);
        try (StoreFile file = files.open(path, FileSystem.Mode.REPLACE)) {
            file.write(ByteBuffer.wrap(ProducerSnapshotFormat.encode(table.entries())), 0);
        }
        snapshots.add(offset);
        unsynced.add(path);
    }

    /** Snapshots that the next flush has to sync. */
    List<Path> takeUnsynced() {
        List<Path> paths = new ArrayList<>(unsynced);
        unsynced.clear();
        return paths;
    }

    void deleteSnapshot(long offset) {
        if (!snapshots.remove(offset)) return;
        unsynced.remove(path(offset));
        files.delete(path(offset));
    }

    /** Removes snapshots that belong to no segment, save the latest. */
    void deleteStrays(Collection<Long> baseOffsets) {
        for (long offset : new ArrayList<>(snapshots)) {
            if (!baseOffsets.contains(offset) && offset != latestSnapshot()) {
                deleteSnapshot(offset);
            }
        }
    }

    /** Forgets everything, on disk too; the log starts over at {@code offset}. */
    void clear(long offset) {
        for (long snapshot : new ArrayList<>(snapshots)) deleteSnapshot(snapshot);
        restoredFrom = -1;
        table.clear(offset);
    }

    /** What rebuilding depends on. */
    record Target(long logStartOffset, long endOffset, long nowMs, long expirationMs) {}

    /**
     * Makes the table what it is at the end of the log, reading as few batches as snapshots allow;
     * blocks. Snapshots beyond the end go.
     */
    void rebuild(List<Segment> segments, Target target) {
        deleteSnapshotsAfter(target.endOffset);
        long from = restoreLatest(target);
        for (int i = firstFrom(segments, from); i < segments.size(); i++) {
            if (from < target.endOffset) replay(segments.get(i), from, target.endOffset, false);
        }
        table.endOffset(target.endOffset);
    }

    /**
     * As {@link #rebuild} after a crash: what was written above the recovery point is trusted in
     * the batches only. Snapshots and aborted transactions from there on are made anew.
     */
    void recover(List<Segment> segments, Target target, long recoveryPoint) {
        long trusted = Math.min(recoveryPoint, target.endOffset);
        for (Segment segment : segments.subList(firstFrom(segments, trusted), segments.size())) {
            if (!readable(segment.transactions())) {
                segment.transactions().reset();
                trusted = Math.min(trusted, segment.baseOffset());
            }
        }
        deleteSnapshotsAfter(trusted);
        long from = restoreLatest(target);
        for (int i = firstFrom(segments, from); i < segments.size(); i++) {
            Segment segment = segments.get(i);
            if (segment.baseOffset() > from) {
                FullDisk.tolerate(folder, () -> takeSnapshot(segment.baseOffset()));
            }
            segment.transactions().truncateTo(from);
            replay(segment, from, target.endOffset, true);
        }
        table.endOffset(target.endOffset);
    }

    private static boolean readable(TransactionIndex transactions) {
        try {
            transactions.load();
            return true;
        } catch (CorruptException bad) {
            log.warn("{}; making it anew from the batches", bad.getMessage());
            return false;
        }
    }

    private void deleteSnapshotsAfter(long limit) {
        for (long offset : List.copyOf(snapshots.tailSet(limit, false))) deleteSnapshot(offset);
    }

    /** Number of the first segment that may hold {@code offset} or a later one. */
    private static int firstFrom(List<Segment> segments, long offset) {
        int number = 0;
        while (number + 1 < segments.size() && segments.get(number + 1).baseOffset() <= offset) {
            number++;
        }
        return number;
    }

    /** Loads the latest good snapshot; returns the offset from which batches must be read. */
    private long restoreLatest(Target target) {
        while (!snapshots.isEmpty()) {
            long offset = snapshots.last();
            if (offset < target.logStartOffset) break;
            try {
                List<ProducerEntry> entries =
                        ProducerSnapshotFormat.decode(files.readAll(path(offset)), path(offset));
                table.restore(entries, offset, target.nowMs, target.expirationMs);
                restoredFrom = offset;
                return offset;
            } catch (CorruptException bad) {
                log.warn("{}; using an older one", bad.getMessage());
                deleteSnapshot(offset);
            }
        }
        restoredFrom = -1;
        table.clear(target.logStartOffset);
        return target.logStartOffset;
    }

    /**
     * @param recovering the batches were read just before, so that single headers cost no seek;
     *     aborted transactions are noted
     */
    private void replay(Segment segment, long from, long to, boolean recovering) {
        SharedFile.Handle handle = segment.acquireLog(true);
        try {
            long size = segment.sizeBytes();
            long position = segment.find(from, size, true);
            if (position < 0) return;
            int chunkBytes = recovering ? HEADERS_CHUNK : BatchScanner.WALK_CHUNK;
            BatchScanner scan = new BatchScanner(handle.file(), position, size, chunkBytes);
            while (scan.next()) {
                if (BatchFormat.baseOffset(scan.header(), scan.at()) >= to) return;
                if (BatchFormat.producerId(scan.header(), scan.at()) < 0) continue;
                CompletedTransaction ended = replay(scan);
                if (ended == null) continue;
                if (ended.aborted() && recovering) segment.transactions().append(aborted(ended));
                table.complete(ended);
            }
            if (scan.position() != size) {
                throw new CorruptException(
                        segment.logPath() + " cannot be read from position " + scan.position());
            }
        } finally {
            handle.release();
        }
    }

    /** Applies one batch; returns the transaction that it ends, or null. */
    private CompletedTransaction replay(BatchScanner scan) {
        ByteBuffer header = scan.header();
        boolean control = BatchFormat.control(header, scan.at());
        ByteBuffer batch = control ? scan.whole() : header;
        int at = control ? 0 : scan.at();
        long base = BatchFormat.baseOffset(batch, at);
        ProducerVerdict verdict = judge(batch, at, base, ProducerRules.Sender.LOG);
        if (!(verdict instanceof ProducerVerdict.Accepted accepted)) return null;
        table.apply(accepted.next());
        return accepted.completed();
    }

    /** The index entry of a transaction that is just being ended by its abort marker. */
    AbortedTransaction aborted(CompletedTransaction ended) {
        return new AbortedTransaction(
                ended.producerId(),
                ended.firstOffset(),
                ended.lastOffset(),
                table.stableAfter(ended));
    }

    /**
     * What the producer rules say of the batch at {@code at} if it begins at {@code baseOffset};
     * null if it has no bearing on producers.
     */
    ProducerVerdict judge(ByteBuffer batch, int at, long baseOffset, ProducerRules.Sender sender) {
        long producerId = BatchFormat.producerId(batch, at);
        if (producerId < 0) return null;
        ProducerEntry entry = table.ahead(producerId);
        short epoch = BatchFormat.producerEpoch(batch, at);
        int delta = BatchFormat.lastOffsetDelta(batch, at);
        long timestampMs = BatchFormat.maxTimestamp(batch, at);
        if (!BatchFormat.control(batch, at)) {
            return ProducerRules.data(
                    entry,
                    new ProducerRules.Data(
                            epoch,
                            BatchFormat.baseSequence(batch, at),
                            baseOffset,
                            delta,
                            timestampMs,
                            BatchFormat.transactional(batch, at)),
                    sender);
        }
        OpenedBatch.Marker marker = marker(batch, at);
        if (marker == null) return null;
        return ProducerRules.marker(
                entry,
                new ProducerRules.Marker(
                        epoch,
                        marker.coordinatorEpoch(),
                        marker.abort(),
                        baseOffset + delta,
                        timestampMs),
                sender);
    }

    private static OpenedBatch.Marker marker(ByteBuffer batch, int at) {
        try {
            return OpenedBatch.of(batch, at, BatchFormat.sizeBytes(batch, at)).marker();
        } catch (OpenedBatch.Unreadable failure) {
            throw new CorruptException("A transaction marker cannot be read", failure);
        }
    }
}
