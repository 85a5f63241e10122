// SPDX-License-Identifier: Apache-2.0
package io.oxbow.metadata.raft;

import io.oxbow.base.error.DiskException;
import io.oxbow.base.file.FileSystem;
import io.oxbow.base.thread.Threads;
import io.oxbow.base.time.Scheduler;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.common.utils.internals.LogContext;
import org.apache.kafka.server.common.OffsetAndEpoch;
import org.apache.kafka.snapshot.FileRawSnapshotReader;
import org.apache.kafka.snapshot.FileRawSnapshotWriter;
import org.apache.kafka.snapshot.NotifyingRawSnapshotWriter;
import org.apache.kafka.snapshot.RawSnapshotReader;
import org.apache.kafka.snapshot.RawSnapshotWriter;
import org.apache.kafka.snapshot.SnapshotPath;
import org.apache.kafka.snapshot.Snapshots;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The metadata snapshots of one folder, ordered by what they contain.
 *
 * <pre>
 * OFFSET-EPOCH.checkpoint           frozen: all records below OFFSET (20 digits), EPOCH (10)
 * OFFSET-EPOCH-N.checkpoint.part    being written; worthless after a crash
 * OFFSET-EPOCH.checkpoint.deleted   given up, removed after a delay
 * </pre>
 *
 * <p>Any thread: the raft thread reads and retires snapshots, the snapshot generator's thread adds
 * them. A lock guards the map, because {@code RaftLog} answers both synchronously.
 */
final class SnapshotShelf implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(SnapshotShelf.class);

    private final Path folder;
    private final FileSystem files;
    private final Scheduler scheduler;
    private final Threads threads;
    private final long deleteDelayMs;

    /** Frozen snapshots and, once read, their open file. Guarded by this. */
    private final TreeMap<OffsetAndEpoch, Optional<FileRawSnapshotReader>> frozen = new TreeMap<>();

    /**
     * Takes stock of a folder: what is partial, given up or older than the log is removed.
     *
     * @throws IllegalStateException if the log begins after every snapshot: then nobody knows what
     *     came before
     */
    SnapshotShelf(Path folder, long logStartOffset, long deleteDelayMs, RaftSurroundings around) {
        this.folder = folder;
        this.files = around.files();
        this.scheduler = around.scheduler();
        this.threads = around.threads();
        this.deleteDelayMs = deleteDelayMs;
        List<Path> worthless = new ArrayList<>();
        for (Path path : files.list(folder)) {
            Optional<SnapshotPath> snapshot = Snapshots.parse(path);
            if (snapshot.isEmpty()) continue;
            if (isWorthless(snapshot.get(), logStartOffset)) worthless.add(path);
            else frozen.put(snapshot.get().snapshotId(), Optional.empty());
        }
        if (logStartOffset > 0
                && (frozen.isEmpty() || frozen.lastKey().offset() < logStartOffset)) {
            throw new IllegalStateException(
                    "The metadata log in "
                            + folder
                            + " begins at offset "
                            + logStartOffset
                            + " and no snapshot has what came before (found "
                            + frozen.keySet()
                            + "); restore the missing .checkpoint file");
        }
        worthless.forEach(files::delete);
        log.info("Snapshots in {}: {}", folder, frozen.keySet());
    }

    private static boolean isWorthless(SnapshotPath snapshot, long logStartOffset) {
        return snapshot.partial()
                || snapshot.deleted()
                || snapshot.snapshotId().offset() < logStartOffset;
    }

    /** A writer for a new snapshot; empty if there is one of that id. */
    Optional<RawSnapshotWriter> write(OffsetAndEpoch id) {
        synchronized (this) {
            if (frozen.containsKey(id)) return Optional.empty();
        }
        return Optional.of(
                new NotifyingRawSnapshotWriter(
                        FileRawSnapshotWriter.create(folder, id), this::add));
    }

    /** A snapshot has been frozen. */
    synchronized void add(OffsetAndEpoch id) {
        frozen.put(id, Optional.empty());
    }

    /** The snapshot's file, opened once and kept open; empty if it is not there. */
    synchronized Optional<RawSnapshotReader> read(OffsetAndEpoch id) {
        Optional<FileRawSnapshotReader> known = frozen.get(id);
        if (known == null) return Optional.empty();
        if (known.isPresent()) return Optional.of(known.get());
        try {
            FileRawSnapshotReader opened = FileRawSnapshotReader.open(folder, id);
            frozen.put(id, Optional.of(opened));
            return Optional.of(opened);
        } catch (UncheckedIOException failure) {
            if (!(failure.getCause() instanceof NoSuchFileException)) throw failure;
            log.warn("Snapshot {} has vanished from {}; going on without it", id, folder);
            frozen.remove(id);
            return Optional.empty();
        }
    }

    synchronized Optional<OffsetAndEpoch> latest() {
        return frozen.isEmpty() ? Optional.empty() : Optional.of(frozen.lastKey());
    }

    synchronized Optional<OffsetAndEpoch> earliest() {
        return frozen.isEmpty() ? Optional.empty() : Optional.of(frozen.firstKey());
    }

    synchronized boolean contains(OffsetAndEpoch id) {
        return frozen.containsKey(id);
    }

    synchronized List<OffsetAndEpoch> ids() {
        return List.copyOf(frozen.keySet());
    }

    /** Size of a snapshot's file in bytes; 0 if it is not there. */
    long sizeBytes(OffsetAndEpoch id) {
        return read(id).map(RawSnapshotReader::sizeInBytes).orElse(0L);
    }

    /** Time-stamp of the last record that a snapshot contains; empty if it is not there. */
    Optional<Long> lastContainedMs(OffsetAndEpoch id) {
        return read(id).map(
                        reader -> Snapshots.lastContainedLogTimestamp(reader, new LogContext()));
    }

    /** Gives up all snapshots before {@code id}; returns how many there were. */
    int retireBefore(OffsetAndEpoch id, String reason) {
        NavigableMap<OffsetAndEpoch, Optional<FileRawSnapshotReader>> retired;
        synchronized (this) {
            retired = new TreeMap<>(frozen.headMap(id, false));
            retired.keySet().forEach(frozen::remove);
        }
        if (retired.isEmpty()) return 0;
        log.info("Snapshots {} in {} are given up: {}", retired.keySet(), folder, reason);
        retired.keySet().forEach(this::markDeleted);
        scheduler.after(
                deleteDelayMs,
                () -> threads.startTask("oxbow-snapshot-delete", () -> remove(retired)));
        return retired.size();
    }

    private void markDeleted(OffsetAndEpoch id) {
        try {
            files.rename(Snapshots.snapshotPath(folder, id), deletedPath(id));
        } catch (DiskException failure) {
            if (failure.kind() != DiskException.Kind.MISSING) throw failure;
        }
    }

    private void remove(NavigableMap<OffsetAndEpoch, Optional<FileRawSnapshotReader>> retired) {
        retired.forEach(
                (id, reader) -> {
                    reader.ifPresent(FileRawSnapshotReader::close);
                    files.delete(deletedPath(id));
                });
    }

    private Path deletedPath(OffsetAndEpoch id) {
        return folder.resolve(Snapshots.filenameFromSnapshotId(id) + ".checkpoint.deleted");
    }

    /** Closes all files; the shelf is empty afterwards. */
    @Override
    public synchronized void close() {
        frozen.values().forEach(reader -> reader.ifPresent(FileRawSnapshotReader::close));
        frozen.clear();
    }
}
