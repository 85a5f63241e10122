// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.lane;

import io.oxbow.base.file.FileSystem.Space;
import io.oxbow.storage.compaction.Compactor;
import io.oxbow.storage.dir.PlacementPolicy;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;

/**
 * One log directory as the pool and every other thread see it. What is volatile is written by the
 * directory's lane (cordoned: by the pool) and read anywhere, so that nobody waits for a lane to
 * learn its state.
 */
final class LogDirectory {
    private final int number;
    private final Path path;
    private final Uuid id;
    private final boolean metadata;
    private final PoolEvents events;

    private volatile Lane lane;

    /** Set once at the start; null if nothing is compacted. */
    private volatile Compactor compactor;

    private volatile String offlineBecause;
    private volatile boolean full;
    private volatile boolean cordoned;
    private volatile Space space = new Space(-1, -1);
    private volatile long promisedBytes;

    /** Logs here or on their way here; several threads count. */
    private final AtomicInteger logs = new AtomicInteger();

    // Progress of recovery; several threads count.
    private final AtomicInteger toRecover = new AtomicInteger();
    private final AtomicLong recoveryBytes = new AtomicLong();

    /**
     * @param number its place in {@code log.dirs}
     * @param id the zero id if it could not be read
     * @param metadata whether it is the metadata directory
     */
    LogDirectory(int number, Path path, Uuid id, boolean metadata, PoolEvents events) {
        this.number = number;
        this.path = path;
        this.id = id;
        this.metadata = metadata;
        this.events = events;
    }

    int number() {
        return number;
    }

    Path path() {
        return path;
    }

    Uuid id() {
        return id;
    }

    boolean metadata() {
        return metadata;
    }

    PoolEvents events() {
        return events;
    }

    /** Null while it is offline since the start. */
    Lane lane() {
        return lane;
    }

    void lane(Lane started) {
        lane = started;
    }

    Compactor compactor() {
        return compactor;
    }

    void compactor(Compactor started) {
        compactor = started;
    }

    /** The log was cut at {@code offset} or is gone (0). */
    void cut(TopicPartition partition, long offset) {
        Compactor told = compactor;
        if (told != null) told.cut(partition, offset);
    }

    boolean serves() {
        return offlineBecause == null;
    }

    String offlineBecause() {
        return offlineBecause;
    }

    void offline(String reason) {
        offlineBecause = reason;
    }

    boolean full() {
        return full;
    }

    void full(boolean now) {
        full = now;
    }

    void cordoned(boolean now) {
        cordoned = now;
    }

    void measured(Space now, long promised) {
        space = now;
        promisedBytes = promised;
    }

    AtomicInteger logs() {
        return logs;
    }

    AtomicInteger toRecover() {
        return toRecover;
    }

    AtomicLong recoveryBytes() {
        return recoveryBytes;
    }

    DirectoryStatus.State state() {
        if (!serves()) return DirectoryStatus.State.OFFLINE;
        if (full) return DirectoryStatus.State.FULL;
        return cordoned ? DirectoryStatus.State.CORDONED : DirectoryStatus.State.ONLINE;
    }

    DirectoryStatus status() {
        Space now = space;
        return new DirectoryStatus(
                path,
                id,
                state(),
                offlineBecause,
                now.totalBytes(),
                now.usableBytes(),
                logs.get(),
                toRecover.get(),
                recoveryBytes.get());
    }

    PlacementPolicy.Candidate candidate() {
        return new PlacementPolicy.Candidate(
                id, space.usableBytes(), promisedBytes, logs.get(), lane.meter().bytesPerSecond());
    }
}
