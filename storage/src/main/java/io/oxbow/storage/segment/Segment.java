// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.segment;

import io.oxbow.base.error.CorruptException;
import io.oxbow.base.file.FileSystem;
import io.oxbow.base.file.StoreFile;
import io.oxbow.storage.batch.BatchFormat;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * A stretch of a partition's log: one file of batches and its indexes ({@link SegmentFormat}). Its
 * files are opened on first use and let go when idle, its indexes are read (and rebuilt if they are
 * damaged) on first use, so a segment at rest costs a few hundred bytes.
 *
 * <p>The owner of the log writes through a {@link SegmentAppender}, truncates, renames and deletes;
 * any thread looks up and reads. What a reader may see is bounded by the log's published end, not
 * by the size here.
 */
public final class Segment {
    /** No batch answers the look-up. */
    public static final long NOT_FOUND = -1;

    /** The look-up would have to wait for the disk. */
    public static final long WOULD_BLOCK = -2;

    /** Bytes before the end that were written by this process so lately that they are cached. */
    static final long RECENT_BYTES = 64L << 20;

    private final FileSystem files;
    private final long baseOffset;
    private final SharedFile log;
    private final SharedFile offsetFile;
    private final SharedFile timeFile;
    private final TransactionIndex transactions;
    private final int indexIntervalBytes;

    /** Written by the owner after bytes were written or cut, read by any thread. */
    private volatile long sizeBytes;

    /** First byte that this process wrote; as {@link #sizeBytes}. */
    private volatile long writtenFrom;

    /** Set under the monitor, read by any thread: null until loaded. */
    private volatile Indexes indexes;

    /** Largest timestamp, or -2 while not known; written by whoever finds out. */
    private volatile long largestTimestampMs = -2;

    /** Both indexes; they are loaded together. */
    record Indexes(OffsetIndex offsets, TimeIndex times) {}

    /** Where a read may end without cutting a batch. */
    public record Cut(long position, long nextOffset) {}

    private Segment(
            Place place,
            FileSystem files,
            FileSystem.Mode logMode,
            FileSystem.Mode indexMode,
            boolean hasTransactions) {
        this.files = files;
        this.baseOffset = place.baseOffset;
        this.indexIntervalBytes = place.indexIntervalBytes;
        this.log =
                new SharedFile(
                        files, place.path(SegmentFormat.LOG), logMode, FileSystem.Need.STEADY);
        this.offsetFile = index(place, SegmentFormat.INDEX, indexMode);
        this.timeFile = index(place, SegmentFormat.TIME_INDEX, indexMode);
        this.transactions =
                new TransactionIndex(files, place.path(SegmentFormat.TXN_INDEX), hasTransactions);
    }

    private SharedFile index(Place place, String kind, FileSystem.Mode mode) {
        return new SharedFile(files, place.path(kind), mode, FileSystem.Need.PASSING);
    }

    /**
     * Where a segment's files are and what they are called.
     *
     * @param suffix after the usual names, e.g. {@code .cleaned}; usually empty
     * @param indexIntervalBytes for rebuilding indexes
     */
    public record Place(Path folder, long baseOffset, String suffix, int indexIntervalBytes) {
        public Path path(String kind) {
            return folder.resolve(SegmentFormat.name(baseOffset, kind) + suffix);
        }
    }

    /** A new, empty segment; its files are made. */
    public static Segment create(Place place, FileSystem files) {
        Segment segment =
                new Segment(place, files, FileSystem.Mode.WRITE, FileSystem.Mode.CREATE, false);
        for (String kind :
                List.of(SegmentFormat.LOG, SegmentFormat.INDEX, SegmentFormat.TIME_INDEX)) {
            files.open(place.path(kind), FileSystem.Mode.REPLACE).close();
        }
        files.delete(place.path(SegmentFormat.TXN_INDEX));
        segment.indexes = segment.newIndexes(IndexEntries.Stored.NONE, IndexEntries.Stored.NONE);
        return segment;
    }

    /**
     * A segment that was found on disk.
     *
     * @param kinds which of its files are there, by {@link SegmentFormat}'s suffixes
     */
    public static Segment existing(
            Place place, long sizeBytes, Set<String> kinds, FileSystem files) {
        Segment segment =
                new Segment(
                        place,
                        files,
                        FileSystem.Mode.READ,
                        FileSystem.Mode.READ,
                        kinds.contains(SegmentFormat.TXN_INDEX));
        segment.sizeBytes = sizeBytes;
        segment.writtenFrom = sizeBytes;
        return segment;
    }

    // ---- any thread ----

    public long baseOffset() {
        return baseOffset;
    }

    /** Bytes of batches. */
    public long sizeBytes() {
        return sizeBytes;
    }

    public Path logPath() {
        return log.path();
    }

    public TransactionIndex transactions() {
        return transactions;
    }

    int indexIntervalBytes() {
        return indexIntervalBytes;
    }

    SharedFile offsetFile() {
        return offsetFile;
    }

    SharedFile timeFile() {
        return timeFile;
    }

    /** The file of batches, held for the caller; null if it is not open and may not be opened. */
    public SharedFile.Handle acquireLog(boolean mayBlock) {
        return mayBlock ? log.acquire() : log.acquireIfOpen();
    }

    /** Whether reading the range does not wait for the disk. Never blocks. */
    public boolean cached(StoreFile open, long position, long length) {
        long recent = Math.max(writtenFrom, sizeBytes - RECENT_BYTES);
        return position >= recent || open.cached(position, length);
    }

    /**
     * Position of the first batch that ends at {@code offset} or later and lies before {@code end};
     * {@link #NOT_FOUND} if there is none, {@link #WOULD_BLOCK} if {@code mayBlock} is false and it
     * cannot be told without the disk.
     */
    public long find(long offset, long end, boolean mayBlock) {
        Indexes index = indexes(mayBlock);
        if (index == null) return WOULD_BLOCK;
        long from = index.offsets().floorPosition(offset, mayBlock);
        if (from == OffsetIndex.WOULD_BLOCK) return WOULD_BLOCK;
        if (from >= end) return NOT_FOUND;
        SharedFile.Handle handle = acquireLog(mayBlock);
        if (handle == null) return WOULD_BLOCK;
        try {
            long near = Math.min(end - from, indexIntervalBytes);
            if (!mayBlock && !cached(handle.file(), from, near)) return WOULD_BLOCK;
            BatchScanner scan =
                    new BatchScanner(handle.file(), from, end, BatchScanner.LOOK_UP_CHUNK);
            while (scan.next()) {
                if (scan.lastOffset() >= offset) return scan.position();
            }
            if (scan.position() != end) throw unreadable(scan.position());
            return NOT_FOUND;
        } finally {
            handle.release();
        }
    }

    /**
     * The last end of a batch that is at most {@code limit}, for a read from {@code from}, where a
     * batch begins, in bytes known to be cached or with {@code mayBlock}; null if it would block.
     * {@code from} itself if the first batch ends after the limit.
     */
    public Cut cut(StoreFile open, long from, long limit, long end, boolean mayBlock) {
        Indexes index = indexes(mayBlock);
        if (index == null) return null;
        long start = index.offsets().floorByPosition(limit, mayBlock);
        if (start == OffsetIndex.WOULD_BLOCK) return null;
        BatchScanner scan =
                new BatchScanner(open, Math.max(start, from), end, BatchScanner.LOOK_UP_CHUNK);
        long nextOffset = -1;
        while (scan.next()) {
            if (scan.position() + scan.sizeBytes() > limit) {
                boolean known = BatchFormat.magic(scan.header(), scan.at()) >= 2;
                if (known) nextOffset = BatchFormat.baseOffset(scan.header(), scan.at());
                return new Cut(scan.position(), nextOffset);
            }
            nextOffset = scan.lastOffset() + 1;
        }
        if (scan.position() < limit) throw unreadable(scan.position());
        return new Cut(scan.position(), nextOffset);
    }

    /** Size of the batch at {@code position}, with its header. */
    public int batchBytes(StoreFile open, long position) {
        BatchScanner scan =
                new BatchScanner(open, position, Long.MAX_VALUE, BatchFormat.HEADER_BYTES);
        if (!scan.next()) throw unreadable(position);
        return scan.sizeBytes();
    }

    private CorruptException unreadable(long position) {
        return new CorruptException(logPath() + " holds no readable batch at position " + position);
    }

    /** A scanner over batches from {@code position} to {@code end}; blocks. */
    public BatchScanner scan(StoreFile open, long position, long end) {
        return new BatchScanner(open, position, end, BatchScanner.WALK_CHUNK);
    }

    /**
     * Adds the aborted transactions that overlap the range; false if later segments may have more.
     * Blocks unless {@link #abortedKnown}.
     */
    public boolean collectAborted(long fetchOffset, long upper, List<AbortedTransaction> into) {
        return transactions.collect(fetchOffset, upper, into);
    }

    public boolean abortedKnown() {
        return transactions.isLoaded();
    }

    /**
     * Where to begin to look for the first record whose timestamp is at least {@code timestampMs}.
     * Blocks.
     */
    public long positionForTimestamp(long timestampMs, long fromOffset) {
        Indexes index = indexes(true);
        long offset = index.times().floor(timestampMs).offset();
        return index.offsets().floorPosition(Math.max(offset, fromOffset), true);
    }

    /** Position of the last indexed batch that starts at or before {@code position}. Blocks. */
    public long floorPosition(long position) {
        return indexes(true).offsets().floorByPosition(position, true);
    }

    /** Position of the batch of the last offset index entry, 0 if there is none. Blocks. */
    public long lastIndexedPosition() {
        return indexes(true).offsets().lastPosition();
    }

    /** Largest timestamp of a closed segment and the offset of its batch; -1 if none. Blocks. */
    public TimeIndex.Entry lastTimeEntry() {
        return indexes(true).times().last();
    }

    /**
     * Largest timestamp of a closed segment; the time of its file if its records have none. Blocks
     * at the first call.
     */
    public long largestTimestampMs() {
        long known = largestTimestampMs;
        if (known != -2) return known;
        long found = lastTimeEntry().timestampMs();
        if (found < 0) found = lastModifiedMs();
        largestTimestampMs = found;
        return found;
    }

    /** Time of the last change of its file. Blocks. */
    public long lastModifiedMs() {
        return files.lastModifiedMs(logPath());
    }

    Indexes indexes(boolean mayBlock) {
        Indexes index = indexes;
        return index != null || !mayBlock ? index : load();
    }

    private synchronized Indexes load() {
        if (indexes == null) indexes = IndexLoader.load(this);
        return indexes;
    }

    Indexes newIndexes(IndexEntries.Stored offsets, IndexEntries.Stored times) {
        return new Indexes(
                new OffsetIndex(baseOffset, offsetFile, offsets),
                new TimeIndex(baseOffset, timeFile, times));
    }

    // ---- owner ----

    void grew(long size) {
        largestTimestampMs = -2;
        sizeBytes = size;
    }

    /** Before the first append by this process: files are opened for writing from now on. */
    void becomeWritable() {
        log.reopenAs(FileSystem.Mode.WRITE);
        offsetFile.reopenAs(FileSystem.Mode.CREATE);
        timeFile.reopenAs(FileSystem.Mode.CREATE);
        writtenFrom = sizeBytes;
    }

    /** Replaces the indexes by what recovery found. */
    void adopt(Indexes recovered) {
        indexes = recovered;
    }

    /** Cuts the file of batches; indexes are the caller's to cut. */
    void cutTo(long size) {
        SharedFile.Handle handle = acquireLog(true);
        try {
            handle.file().truncate(size);
        } finally {
            handle.release();
        }
        log.written();
        writtenFrom = Math.min(writtenFrom, size);
        grew(size);
    }

    /** Whether an index was written, or the batches were cut, and not synced since. */
    public boolean unsynced() {
        return log.unsynced()
                || offsetFile.unsynced()
                || timeFile.unsynced()
                || transactions.unsynced();
    }

    /**
     * Makes what was written durable, batches and indexes; entries must have been saved. Any
     * thread; blocks. A segment that was deleted meanwhile has nothing to make durable.
     */
    public void syncFiles() {
        try {
            log.sync();
            if (offsetFile.unsynced()) offsetFile.sync();
            if (timeFile.unsynced()) timeFile.sync();
            transactions.sync();
        } catch (CorruptException missing) {
            // Deleted, or damaged: then the next read says so.
            return;
        }
    }

    /** Writes index entries that are only in memory. */
    public void saveIndexes() {
        Indexes index = indexes;
        if (index == null) return;
        index.offsets().entries().save();
        index.times().entries().save();
    }

    /** Closes files that were not used since the last call; a closed segment drops its indexes. */
    public void closeIfIdle(boolean active) {
        // All three are asked, as asking begins the next idle period.
        boolean batchesIdle = log.closeIfIdle();
        boolean offsetsIdle = offsetFile.closeIfIdle();
        boolean timesIdle = timeFile.closeIfIdle();
        boolean idle = batchesIdle && offsetsIdle && timesIdle;
        if (idle && !active) indexes = null;
    }

    /** Closes the files; readers that hold them go on. */
    public void close() {
        log.close();
        offsetFile.close();
        timeFile.close();
    }

    /** Renames all files to names that end in {@code suffix}; readers that hold them go on. */
    public void rename(Path folder, String suffix) {
        Place to = new Place(folder, baseOffset, suffix, indexIntervalBytes);
        renameIfThere(log, to.path(SegmentFormat.LOG));
        renameIfThere(offsetFile, to.path(SegmentFormat.INDEX));
        renameIfThere(timeFile, to.path(SegmentFormat.TIME_INDEX));
        transactions.rename(to.path(SegmentFormat.TXN_INDEX));
    }

    private void renameIfThere(SharedFile file, Path to) {
        if (files.exists(file.path())) file.rename(to);
        else file.movedTo(to);
    }

    /** Removes all files; readers that hold them go on. */
    public void delete() {
        close();
        files.delete(log.path());
        files.delete(offsetFile.path());
        files.delete(timeFile.path());
        transactions.delete();
    }
}
