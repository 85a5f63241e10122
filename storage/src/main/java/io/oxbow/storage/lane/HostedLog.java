// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.lane;

import io.oxbow.base.error.BugException;
import io.oxbow.base.error.ClientException;
import io.oxbow.base.error.CorruptException;
import io.oxbow.base.error.DiskException;
import io.oxbow.storage.compaction.CompactableLog;
import io.oxbow.storage.lane.FaultPolicy.Doing;
import io.oxbow.storage.log.AppendOutcome;
import io.oxbow.storage.log.AppendRequest;
import io.oxbow.storage.log.EpochEnd;
import io.oxbow.storage.log.LogSettings;
import io.oxbow.storage.log.LogView;
import io.oxbow.storage.log.PartitionLog;
import io.oxbow.storage.log.ProducerSnapshot;
import io.oxbow.storage.log.ReadHint;
import io.oxbow.storage.log.ReadOutcome;
import io.oxbow.storage.log.ReadRequest;
import io.oxbow.storage.log.TimestampOffset;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.protocol.Errors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A partition's log as everybody but its lane sees it. Any thread may call any method; none blocks.
 * Futures and callbacks complete on the lane's thread or on one of its readers: the callee posts to
 * its own thread.
 */
public final class HostedLog implements CompactableLog {
    private static final Logger log = LoggerFactory.getLogger(HostedLog.class);

    private static final int NEVER = Integer.MAX_VALUE;

    private final TopicPartition partition;
    private final Lane lane;
    private final PartitionLog partitionLog;
    private final LogOnLane onLane;
    private final Watchers watchers = new Watchers();

    /** Written by the lane when the log gets its id; read by all. */
    private volatile Uuid topicId;

    /** Written once by the lane; read before each use, so that no message is needed to refuse. */
    private volatile String unavailableBecause;

    /** Written by the lane before {@code unavailableBecause}. */
    private volatile AppendOutcome.Reason refusalReason = AppendOutcome.Reason.NOT_LEADER;

    /**
     * From which epoch on this broker has led without a break. Written by the lane; read by whoever
     * waits for a commit, on any thread, at each look.
     */
    private volatile int leadsSince = NEVER;

    HostedLog(Lane lane, PartitionLog partitionLog, Uuid topicId, LogOnLane onLane) {
        this.partition = partitionLog.topicPartition();
        this.lane = lane;
        this.partitionLog = partitionLog;
        this.topicId = topicId;
        this.onLane = onLane;
    }

    @Override
    public TopicPartition topicPartition() {
        return partition;
    }

    /** The zero id if the log was written before topics had ids and nobody has told it yet. */
    public Uuid topicId() {
        return topicId;
    }

    /** Id of the log directory that holds it. */
    public Uuid directoryId() {
        return lane.directoryId();
    }

    /** The lane that writes it now. */
    public Lane lane() {
        return lane;
    }

    /** The latest published view. */
    public LogView view() {
        return partitionLog.view();
    }

    /** Bytes of all segments; a snapshot, never a walk over the files. */
    public long sizeBytes() {
        return partitionLog.sizeBytes();
    }

    /** Null while the log can be used, else why it cannot (directory offline, closed, deleted). */
    @Override
    public String unavailableBecause() {
        return unavailableBecause;
    }

    /**
     * Sends an append to the lane. False if the lane's inbox is full: nothing was taken, and the
     * caller stops reading its connection until {@code lane().whenRoom} calls back.
     */
    public boolean append(AppendRequest request) {
        return lane.offer(new LaneMessage.Append(this, request));
    }

    /**
     * Reads without waiting for a disk. {@code hint} belongs to this reader of this partition and
     * may be null.
     */
    public ReadOutcome read(ReadRequest request, ReadHint hint) {
        return read(request, hint, false);
    }

    /**
     * After {@link ReadOutcome.NotCached}: one of the lane's readers fetches it from disk first.
     */
    public void readLater(ReadRequest request, Consumer<ReadOutcome> then) {
        lane.readers().run(() -> then.accept(readOrSayWhyNot(request)));
    }

    /** On a reader: whoever waits is told, also of a failure that nobody expected. */
    private ReadOutcome readOrSayWhyNot(ReadRequest request) {
        try {
            return read(request, null, true);
        } catch (RuntimeException | Error bug) {
            log.error("Reading {} failed; this is a bug", this, bug);
            return new ReadOutcome.Unavailable("an internal error; see the log");
        }
    }

    /**
     * Calls {@code watcher} at the next movement of high watermark or last stable offset, once.
     * What has moved before is not told: register first, then read.
     */
    public void watch(LogWatcher watcher) {
        watchers.add(watcher);
        if (unavailableBecause != null) lane.post(tell(this));
    }

    /** Forgets a watcher that was not called yet. */
    public void unwatch(LogWatcher watcher) {
        watchers.remove(watcher);
    }

    /**
     * First record whose time-stamp is at least {@code timestampMs}; {@code NONE} if there is none.
     */
    public CompletableFuture<TimestampOffset> offsetForTimestamp(long timestampMs) {
        return onReader(() -> partitionLog.offsetForTimestamp(timestampMs));
    }

    /** The record with the largest time-stamp (ListOffsets -3). */
    public CompletableFuture<TimestampOffset> offsetOfMaxTimestamp() {
        return onReader(partitionLog::offsetOfMaxTimestamp);
    }

    /** Where {@code leaderEpoch} ended. Answered from memory. */
    public EpochEnd endOffsetForEpoch(int leaderEpoch) {
        return partitionLog.endOffsetForEpoch(leaderEpoch);
    }

    /** Epoch of the record at {@code offset}, or -1. Answered from memory. */
    public int epochForOffset(long offset) {
        return partitionLog.epochForOffset(offset);
    }

    /** The latest leader epoch that has records, or -1. */
    public int latestEpoch() {
        return partitionLog.latestEpoch();
    }

    /**
     * Moves the log start up to {@code offset} (DeleteRecords; -1: to the high watermark) and
     * completes with the new log start when that is durable. Fails with {@link ClientException}
     * OFFSET_OUT_OF_RANGE beyond the high watermark.
     */
    public CompletableFuture<Long> deleteRecordsBefore(long offset) {
        CompletableFuture<Long> durable = new CompletableFuture<>();
        var _ =
                doOnLane(
                                held -> {
                                    held.raiseLogStart(requireReached(offset));
                                    // Also if it lay there before: that may not be durable yet.
                                    long start = view().logStartOffset();
                                    lane.logs().turnEnd().logStartMoved(durable, start);
                                })
                        .exceptionally(
                                failure -> {
                                    durable.completeExceptionally(failure);
                                    return null;
                                });
        return durable;
    }

    private long requireReached(long offset) {
        long to = offset == -1 ? view().highWatermark() : offset;
        if (to >= 0 && to <= view().highWatermark()) return to;
        throw new ClientException(
                Errors.OFFSET_OUT_OF_RANGE.code(),
                "Records before "
                        + to
                        + " cannot be deleted: the high watermark of "
                        + partition
                        + " is "
                        + view().highWatermark());
    }

    /** Producers that the log knows now. */
    public CompletableFuture<List<ProducerSnapshot>> producers() {
        return onLane(PartitionLog::producers);
    }

    /** Replaces the settings; in effect when the future completes. */
    public CompletableFuture<Void> reconfigure(LogSettings settings) {
        return doOnLane(
                held -> {
                    held.reconfigure(settings);
                    onLane.settings = settings;
                    onLane.configured = true;
                });
    }

    /**
     * This broker leads from {@code leaderEpoch} on: the epoch is noted at the log end. The high
     * watermark follows the log end while {@code soleReplica}, else it moves only by {@link
     * #raiseHighWatermark}.
     */
    public CompletableFuture<Void> lead(int leaderEpoch, boolean soleReplica) {
        return doOnLane(
                held -> {
                    if (leaderEpoch > held.latestEpoch()) {
                        held.noteLeaderEpoch(leaderEpoch, view().endOffset());
                    }
                    onLane.leaderEpoch = Math.max(onLane.leaderEpoch, leaderEpoch);
                    onLane.soleReplica = soleReplica;
                    if (leadsSince == NEVER) leadsSince = leaderEpoch;
                    if (soleReplica) held.raiseHighWatermark(view().endOffset());
                });
    }

    /**
     * Another broker leads from {@code leaderEpoch} on: the high watermark no longer follows the
     * log end, what an older leader has accepted is refused, and all watchers are told.
     */
    public CompletableFuture<Void> follow(int leaderEpoch) {
        return doOnLane(
                held -> {
                    onLane.leaderEpoch = Math.max(onLane.leaderEpoch, leaderEpoch);
                    onLane.soleReplica = false;
                    leadsSince = NEVER;
                    tellWatchers();
                });
    }

    /**
     * Whether this broker has led without a break since {@code leaderEpoch}: only then are the
     * records that it appended in that epoch known to be still there, and not others at their
     * offsets.
     */
    public boolean ledSince(int leaderEpoch) {
        return leadsSince <= leaderEpoch;
    }

    /** Raises the high watermark to at most the log end (leader: by ISR progress). */
    public CompletableFuture<Void> raiseHighWatermark(long offset) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        lane.post(new LaneMessage.Raise(this, offset, () -> done.complete(null)));
        return done;
    }

    /** Removes everything from {@code offset} on (follower). */
    public CompletableFuture<Void> truncateTo(long offset) {
        return doOnLane(
                held -> {
                    onLane.soleReplica = false;
                    held.truncateTo(offset);
                    lane.logs().cut(this, offset);
                });
    }

    /**
     * Runs {@code action} with the log on its lane, after all that was sent before; for what else
     * must change its files (compaction). Completes at the end of the lane's turn; fails if the log
     * cannot be used or with what {@code action} throws, after the lane has drawn its conclusions
     * from it.
     */
    @Override
    public <T> CompletableFuture<T> onLane(Function<PartitionLog, T> action) {
        CompletableFuture<T> done = new CompletableFuture<>();
        lane.post(
                new LaneMessage.Act(
                        () -> runOnLane(action, done),
                        () -> done.completeExceptionally(lane.closed())));
        return done;
    }

    // ---- lane only ----

    LogOnLane onLane() {
        return onLane;
    }

    PartitionLog partitionLog() {
        return partitionLog;
    }

    AppendOutcome.Reason refusalReason() {
        return refusalReason;
    }

    void identify(Uuid id) {
        topicId = id;
    }

    /** For good: a log that comes back is another object. */
    void makeUnavailable(AppendOutcome.Reason reason, String why) {
        refusalReason = reason;
        unavailableBecause = why;
    }

    void tellWatchers() {
        for (LogWatcher watcher : watchers.takeAll()) {
            try {
                watcher.moved(this);
            } catch (RuntimeException failure) {
                log.error("A watcher of {} failed", partition, failure);
            }
        }
    }

    @Override
    public String toString() {
        return partition + " in " + lane.directory();
    }

    private static LaneMessage tell(HostedLog hosted) {
        return new LaneMessage.Act(hosted::tellWatchers, hosted::tellWatchers);
    }

    private CompletableFuture<Void> doOnLane(Consumer<PartitionLog> action) {
        return onLane(
                held -> {
                    action.accept(held);
                    return null;
                });
    }

    private <T> void runOnLane(Function<PartitionLog, T> action, CompletableFuture<T> done) {
        if (unavailableBecause != null) {
            done.completeExceptionally(unavailable());
            return;
        }
        try {
            T value = action.apply(partitionLog);
            lane.round().noteMovement(this);
            lane.logs().turnEnd().answer(done, value);
        } catch (ClientException refused) {
            done.completeExceptionally(refused);
        } catch (RuntimeException failure) {
            lane.logs().fault(this, failure, Doing.WRITING, "change");
            done.completeExceptionally(failure);
        }
    }

    private ReadOutcome read(ReadRequest request, ReadHint hint, boolean mayBlock) {
        String why = unavailableBecause;
        if (why != null) return new ReadOutcome.Unavailable(why);
        try {
            return partitionLog.read(request, hint, mayBlock);
        } catch (DiskException | CorruptException failure) {
            readFailed(failure);
            return new ReadOutcome.Unavailable(failure.getMessage());
        }
    }

    private <T> CompletableFuture<T> onReader(Supplier<T> lookUp) {
        CompletableFuture<T> done = new CompletableFuture<>();
        lane.readers()
                .run(
                        () -> {
                            try {
                                if (unavailableBecause != null) throw unavailable();
                                done.complete(lookUp.get());
                            } catch (DiskException | CorruptException failure) {
                                if (unavailableBecause == null) readFailed(failure);
                                done.completeExceptionally(failure);
                            } catch (RuntimeException failure) {
                                done.completeExceptionally(failure);
                            } catch (Error failure) {
                                log.error("A look-up in {} failed", this, failure);
                                done.completeExceptionally(
                                        new BugException("A look-up in " + this, failure));
                            }
                        });
        return done;
    }

    /** The lane judges what it means; the read may have raced with a deletion. */
    private void readFailed(RuntimeException failure) {
        lane.post(
                () -> {
                    if (unavailableBecause == null) {
                        lane.logs().fault(this, failure, Doing.READING, "read");
                    }
                });
    }

    private DiskException unavailable() {
        return new DiskException(
                DiskException.Kind.FAILED,
                lane.directory(),
                "use " + partition + " (" + unavailableBecause + ") in",
                null);
    }
}
