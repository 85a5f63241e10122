// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.segment;

import io.oxbow.base.error.CorruptException;
import io.oxbow.base.file.FileSystem;
import io.oxbow.base.file.StoreFile;
import io.oxbow.storage.batch.BatchFormat;
import java.nio.ByteBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the indexes of a segment that was closed in order, and rebuilds them from the batches if
 * they are missing, cut, padded, garbage or too short. Called under the segment's monitor by the
 * first thread that needs them; blocks.
 */
final class IndexLoader {
    private static final Logger log = LoggerFactory.getLogger(IndexLoader.class);

    /** Bytes without an entry beyond which an index counts as short. */
    private static final int SHORT_SLACK_BYTES = 64 * 1024;

    /** Entries up to which an index is kept in memory, and its file closed. */
    static final int MOST_IN_MEMORY = 512;

    private final Segment segment;

    private IndexLoader(Segment segment) {
        this.segment = segment;
    }

    static Segment.Indexes load(Segment segment) {
        SharedFile.Handle handle = segment.acquireLog(true);
        try {
            return new IndexLoader(segment).load(handle.file());
        } finally {
            handle.release();
        }
    }

    private Segment.Indexes load(StoreFile batches) {
        IndexEntries.Stored offsets =
                wholeEntries(segment.offsetFile(), OffsetIndexFormat.ENTRY_BYTES);
        IndexEntries.Stored times = wholeEntries(segment.timeFile(), TimeIndexFormat.ENTRY_BYTES);
        if (offsets != null && times != null) {
            Segment.Indexes found = segment.newIndexes(offsets, times);
            if (agree(found, batches)) return found;
        }
        log.warn("An index of {} is missing or damaged; rebuilding it", segment.logPath());
        return rebuild(segment, batches);
    }

    /** The entries, or null if the file cannot be trusted. One that is small is closed again. */
    private static IndexEntries.Stored wholeEntries(SharedFile file, int entryBytes) {
        SharedFile.Handle handle;
        try {
            handle = file.acquire();
        } catch (CorruptException missing) {
            return null;
        }
        IndexEntries.Stored stored;
        try {
            stored = wholeEntries(handle.file(), entryBytes);
        } finally {
            handle.release();
        }
        if (stored != null && stored.bytes() != null) file.close();
        return stored;
    }

    private static IndexEntries.Stored wholeEntries(StoreFile file, int entryBytes) {
        long size = file.size();
        if (size % entryBytes != 0 || size > Integer.MAX_VALUE) return null;
        int count = (int) (size / entryBytes);
        int from = count <= MOST_IN_MEMORY ? 0 : count - 1;
        ByteBuffer bytes = ByteBuffer.allocate((count - from) * entryBytes);
        file.read(bytes, (long) from * entryBytes);
        if (count > 0 && isZero(bytes, bytes.capacity() - entryBytes)) return null;
        return count <= MOST_IN_MEMORY
                ? new IndexEntries.Stored(count, bytes)
                : IndexEntries.Stored.inFile(count);
    }

    private static boolean isZero(ByteBuffer bytes, int from) {
        for (int i = from; i < bytes.capacity(); i++) {
            if (bytes.get(i) != 0) return false;
        }
        return true;
    }

    /** Whether the last entries are what the batches say, and nothing is missing after them. */
    private boolean agree(Segment.Indexes found, StoreFile batches) {
        long size = segment.sizeBytes();
        if (size == 0) return found.offsets().entries().count() == 0;
        long last = found.offsets().lastPosition();
        if (last < 0 || last >= size) return false;
        BatchScanner scan = new BatchScanner(batches, last, size, BatchScanner.LOOK_UP_CHUNK);
        if (!scan.next()) return false;
        boolean any = found.offsets().entries().count() > 0;
        if (any && scan.lastOffset() != found.offsets().lastOffset()) return false;
        TimeIndex.Entry time = found.times().last();
        if (time.timestampMs() < 0 && scan.maxTimestampMs() >= 0) return false;
        if (time.timestampMs() >= 0 && time.offset() < segment.baseOffset()) return false;
        long slack = Math.max(SHORT_SLACK_BYTES, 8L * segment.indexIntervalBytes());
        do {
            if (scan.position() - last > slack) return false;
        } while (scan.next());
        return scan.position() == size;
    }

    /** Indexes made anew from the headers of all batches. */
    static Segment.Indexes rebuild(Segment segment, StoreFile batches) {
        segment.offsetFile().reopenAs(FileSystem.Mode.REPLACE);
        segment.timeFile().reopenAs(FileSystem.Mode.REPLACE);
        segment.offsetFile().acquire().release();
        segment.timeFile().acquire().release();
        segment.offsetFile().reopenAs(FileSystem.Mode.WRITE);
        segment.timeFile().reopenAs(FileSystem.Mode.WRITE);
        Segment.Indexes made =
                segment.newIndexes(IndexEntries.Stored.NONE, IndexEntries.Stored.NONE);
        SegmentIndexer indexer =
                new SegmentIndexer(
                        made,
                        segment.indexIntervalBytes(),
                        0,
                        new TimeIndex.Entry(-1, segment.baseOffset()));
        BatchScanner scan = segment.scan(batches, 0, segment.sizeBytes());
        while (scan.next()) {
            indexer.add(
                    scan.position(),
                    BatchFormat.lastOffset(scan.header(), scan.at()),
                    scan.maxTimestampMs());
        }
        indexer.finish();
        made.offsets().entries().save();
        made.times().entries().save();
        return made;
    }
}
