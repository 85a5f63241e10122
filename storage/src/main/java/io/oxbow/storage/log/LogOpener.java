// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.log;

import io.oxbow.base.error.CorruptException;
import io.oxbow.base.file.FileSystem;
import io.oxbow.base.time.Clock;
import io.oxbow.storage.batch.BatchFormat;
import io.oxbow.storage.segment.BatchScanner;
import io.oxbow.storage.segment.Segment;
import io.oxbow.storage.segment.SegmentFormat;
import io.oxbow.storage.segment.SegmentRecovery;
import io.oxbow.storage.segment.SharedFile;
import io.oxbow.storage.segment.TransactionIndexFormat;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.Uuid;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens a partition's folder. After a clean close nothing is scanned: one listing, the sizes of the
 * segments, the latest producer snapshot and two small files. After a crash what was written since
 * the recovery point is read, torn batches are cut, and files that are missing or damaged are made
 * anew. Used once, by the owner; blocks.
 */
final class LogOpener {
    private static final Logger log = LoggerFactory.getLogger(LogOpener.class);

    private final PartitionLog.OpenSpec spec;
    private final FileSystem files;
    private final long nowMs;
    private final SegmentList segments;
    private LeaderEpochs epochs;
    private boolean epochsChanged;

    /** Base offset of the first segment whose transaction index is damaged. */
    private long transactionsTrusted = Long.MAX_VALUE;

    LogOpener(PartitionLog.OpenSpec spec, FileSystem files, Clock clock) {
        this.spec = spec;
        this.files = files;
        this.nowMs = clock.wallMs();
        this.segments = new SegmentList(spec.folder(), files);
    }

    /**
     * A folder as it was opened.
     *
     * @param epochsSaved whether the file of epochs says the same
     */
    record Opened(
            SegmentList segments,
            ProducerHistory producers,
            LeaderEpochs epochs,
            boolean epochsSaved,
            Uuid topicId,
            long logStartOffset,
            long endOffset,
            FlushState.Durable durable) {}

    Opened open() {
        if (!files.exists(spec.folder())) files.createDirectories(spec.folder());
        FolderListing listing = FolderListing.of(spec.folder(), files);
        requireNotLost(listing);
        if (listing.needsRepair()) {
            new FolderRepair(spec.folder(), files).run();
            listing = FolderListing.of(spec.folder(), files);
        }
        addSegments(listing);
        boolean namesDurable = spec.clean() && segments.size() > 0;
        readEpochs(listing);
        ProducerHistory producers = new ProducerHistory(spec.folder(), files, listing.snapshots());
        long endOffset = spec.clean() ? cleanEnd(producers) : recover();
        endOffset = dropIfBelowStart(endOffset);
        if (segments.size() == 0) {
            segments.start(spec.logStartOffset(), spec.settings().indexIntervalBytes(), nowMs);
            endOffset = spec.logStartOffset();
        }
        long start = Math.max(spec.logStartOffset(), segments.all().getFirst().baseOffset());
        boolean epochsSaved = trimEpochs(start, endOffset);
        restoreProducers(producers, start, endOffset);
        // Whatever was opened on the way is opened again by whoever uses it.
        segments.close();
        long recoveryPoint = spec.clean() ? endOffset : Math.min(spec.recoveryPoint(), endOffset);
        return new Opened(
                segments,
                producers,
                epochs,
                epochsSaved,
                topicId(listing),
                start,
                endOffset,
                new FlushState.Durable(recoveryPoint, namesDurable));
    }

    /** A log that was there and has no file any more must not pass for an empty one. */
    private void requireNotLost(FolderListing listing) {
        boolean lost = spec.reachedOffset() > spec.logStartOffset() && listing.holdsNothing();
        if (!lost) return;
        throw new CorruptException(
                spec.folder()
                        + " holds no segment, although the checkpoints say that the log reached"
                        + " offset "
                        + spec.reachedOffset()
                        + ": its .log files were removed, and this replica is lost. Put them back,"
                        + " or remove the folder to begin anew, and restart");
    }

    private void addSegments(FolderListing listing) {
        listing.segments()
                .forEach(
                        (offset, kinds) -> {
                            Segment.Place place =
                                    new Segment.Place(
                                            spec.folder(),
                                            offset,
                                            "",
                                            spec.settings().indexIntervalBytes());
                            long size = files.size(place.path(SegmentFormat.LOG));
                            segments.add(Segment.existing(place, size, kinds, files));
                            noteTornTransactions(place, kinds);
                        });
    }

    /** Readers could not tell aborted records if such an index were left as it is. */
    private void noteTornTransactions(Segment.Place place, Set<String> kinds) {
        if (!kinds.contains(SegmentFormat.TXN_INDEX)) return;
        long size = files.size(place.path(SegmentFormat.TXN_INDEX));
        if (size % TransactionIndexFormat.ENTRY_BYTES != 0) {
            transactionsTrusted = Math.min(transactionsTrusted, place.baseOffset());
        }
    }

    private Uuid topicId(FolderListing listing) {
        if (!listing.topicId()) return null;
        Path path = spec.folder().resolve(PartitionMetadataFormat.FILE_NAME);
        try {
            return PartitionMetadataFormat.decode(files.readAll(path), path);
        } catch (CorruptException bad) {
            log.warn("{}; it will be written again", bad.getMessage());
            return null;
        }
    }

    // ---- leader epochs ----

    private void readEpochs(FolderListing listing) {
        Path path = spec.folder().resolve(LeaderEpochFormat.FILE_NAME);
        if (listing.leaderEpochs()) {
            try {
                epochs = LeaderEpochFormat.decode(files.readAll(path), path);
                return;
            } catch (CorruptException bad) {
                log.warn("{}; making it anew from the batches", bad.getMessage());
            }
        }
        epochs = LeaderEpochs.NONE;
        if (segments.size() == 0 || segments.sizeBytes() == 0) return;
        log.warn("{} is missing or damaged; reading epochs from the batches", path);
        epochsFromBatches();
        epochsChanged = true;
    }

    /** Reads only segments that more than one epoch wrote to. */
    private void epochsFromBatches() {
        List<Segment> all = segments.all();
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).sizeBytes() == 0) continue;
            int first = firstEpoch(all.get(i), true);
            int next = i + 1 < all.size() ? firstEpoch(all.get(i + 1), false) : -1;
            if (first >= 0 && first == next) continue;
            readEpochsOf(all.get(i));
        }
    }

    private int firstEpoch(Segment segment, boolean note) {
        SharedFile.Handle handle = segment.acquireLog(true);
        try {
            BatchScanner scan =
                    new BatchScanner(
                            handle.file(), 0, segment.sizeBytes(), BatchFormat.HEADER_BYTES);
            if (!scan.next()) return -1;
            if (note) noteEpoch(scan.header(), scan.at());
            return BatchFormat.leaderEpoch(scan.header(), scan.at());
        } finally {
            handle.release();
        }
    }

    private void readEpochsOf(Segment segment) {
        SharedFile.Handle handle = segment.acquireLog(true);
        try {
            BatchScanner scan = segment.scan(handle.file(), 0, segment.sizeBytes());
            while (scan.next()) noteEpoch(scan.header(), scan.at());
        } finally {
            handle.release();
        }
    }

    private void noteEpoch(ByteBuffer header, int at) {
        int epoch = BatchFormat.leaderEpoch(header, at);
        if (epoch <= epochs.latest()) return;
        epochs = epochs.assign(epoch, BatchFormat.baseOffset(header, at));
        epochsChanged = true;
    }

    /** False if the file still has what was trimmed. */
    private boolean trimEpochs(long start, long endOffset) {
        LeaderEpochs trimmed = epochs.truncateFromEnd(endOffset).truncateFromStart(start);
        if (trimmed == epochs && !epochsChanged) return true;
        epochs = trimmed;
        // Epochs without batches, as Kafka leaves them: every start would trim them just so.
        if (spec.clean() && !epochsChanged) return false;
        return FullDisk.tolerate(
                spec.folder(),
                () ->
                        files.writeAtomically(
                                spec.folder().resolve(LeaderEpochFormat.FILE_NAME),
                                LeaderEpochFormat.encode(epochs)));
    }

    // ---- where the log ends ----

    private long cleanEnd(ProducerHistory producers) {
        if (segments.size() == 0) return spec.logStartOffset();
        Segment active = segments.active();
        if (active.sizeBytes() == 0) return active.baseOffset();
        boolean told =
                spec.recoveryPoint() > active.baseOffset()
                        && producers.latestSnapshot() == spec.recoveryPoint();
        return told ? spec.recoveryPoint() : lastOffset(active) + 1;
    }

    /** From the last index entry on; the indexes are checked on the way. */
    private static long lastOffset(Segment segment) {
        SharedFile.Handle handle = segment.acquireLog(true);
        try {
            long size = segment.sizeBytes();
            BatchScanner scan = segment.scan(handle.file(), segment.lastIndexedPosition(), size);
            long last = segment.baseOffset() - 1;
            while (scan.next()) last = scan.lastOffset();
            if (scan.position() == size) return last;
            throw new CorruptException(
                    segment.logPath() + " cannot be read from position " + scan.position());
        } finally {
            handle.release();
        }
    }

    /** Reads what may not be durable; returns where the log ends. */
    private long recover() {
        List<Segment> all = new ArrayList<>(segments.all());
        long endOffset = spec.logStartOffset();
        for (int i = 0; i < all.size(); i++) {
            boolean last = i == all.size() - 1;
            if (!last && all.get(i + 1).baseOffset() <= spec.recoveryPoint()) continue;
            SegmentRecovery.Outcome outcome =
                    SegmentRecovery.recover(
                            all.get(i), spec.recoveryPoint(), nowMs, this::noteEpoch);
            endOffset = outcome.nextOffset();
            if (outcome.tornBytes() > 0) {
                log.warn(
                        "Cutting {} torn bytes off {} at offset {}",
                        outcome.tornBytes(),
                        all.get(i).logPath(),
                        endOffset);
                dropAfter(all, i);
                outcome.cut();
                last = true;
            }
            if (last) {
                segments.adopt(outcome.appender());
                return endOffset;
            }
            FullDisk.tolerate(spec.folder(), outcome.appender()::finish);
        }
        return endOffset;
    }

    private void dropAfter(List<Segment> all, int number) {
        for (int i = all.size() - 1; i > number; i--) {
            log.warn("Removing {}: what lies before it was lost", all.get(i).logPath());
            segments.remove(all.get(i), nowMs);
        }
        segments.deleteDoomed(nowMs);
    }

    private long dropIfBelowStart(long endOffset) {
        if (segments.size() == 0 || endOffset >= spec.logStartOffset()) return endOffset;
        log.warn(
                "{} ends at {}, below its start {}: all of it is removed",
                spec.folder(),
                endOffset,
                spec.logStartOffset());
        for (Segment segment : List.copyOf(segments.all())) segments.remove(segment, nowMs);
        segments.deleteDoomed(nowMs);
        return spec.logStartOffset();
    }

    // ---- producers ----

    private void restoreProducers(ProducerHistory producers, long start, long endOffset) {
        Set<Long> bases = new HashSet<>();
        for (Segment segment : segments.all()) bases.add(segment.baseOffset());
        producers.deleteStrays(bases);
        ProducerHistory.Target target =
                new ProducerHistory.Target(
                        start, endOffset, nowMs, spec.settings().producerIdExpirationMs());
        long trusted =
                Math.min(spec.clean() ? Long.MAX_VALUE : spec.recoveryPoint(), transactionsTrusted);
        if (trusted == Long.MAX_VALUE) producers.rebuild(segments.all(), target);
        else producers.recover(segments.all(), target, trusted);
        FullDisk.tolerate(spec.folder(), () -> producers.takeSnapshot(endOffset));
    }
}
