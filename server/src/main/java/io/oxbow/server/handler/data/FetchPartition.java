// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.data;

import io.oxbow.storage.lane.HostedLog;
import io.oxbow.storage.lane.LogWatcher;
import io.oxbow.storage.log.LogSlice;
import io.oxbow.storage.log.LogView;
import io.oxbow.storage.log.ReadHint;
import io.oxbow.storage.log.ReadOutcome;
import io.oxbow.storage.log.ReadRequest.Isolation;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchResponseData.AbortedTransaction;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;

/**
 * One partition that a client fetches: what it asks for, what it has been told, where its last read
 * ended, and what the present fetch has found. Lives as long as its session. Owned by the network
 * thread of the fetch under way; the log's lane only calls {@link #moved}.
 *
 * <p>A watch stays registered from one fetch to the next, so that a partition where nothing happens
 * costs an incremental fetch neither a read nor a registration.
 */
final class FetchPartition implements LogWatcher {
    private static final long UNKNOWN = -1;

    private final FetchKey key;
    private final ReadHint hint = new ReadHint();

    // ---- as asked ----
    private long fetchOffset;
    private int maxBytes;
    private int leaderEpoch;

    // ---- as told (incremental fetches leave out what has not changed) ----
    private long toldHighWatermark = UNKNOWN;
    private long toldLogStart = UNKNOWN;

    // ---- as found by the present fetch ----
    private Errors error = Errors.NONE;
    private LogView view;
    private LogSlice slice;
    private List<ReadOutcome.AbortedRange> aborted = List.of();
    private boolean pending;

    // ---- the watch ----
    private HostedLog watched;

    /** Offset at which the last read came to the end, or -1. */
    private long endSeenAt = UNKNOWN;

    /** Set by the lane when the watch fires, cleared by the network thread before it registers. */
    private volatile boolean fired;

    /** The fetch that waits, or null; written by the network thread, read by the lane. */
    private volatile FetchCall waiter;

    FetchPartition(FetchKey key) {
        this.key = key;
    }

    FetchKey key() {
        return key;
    }

    ReadHint hint() {
        return hint;
    }

    void ask(FetchRequestData.FetchPartition asked) {
        fetchOffset = asked.fetchOffset();
        maxBytes = asked.partitionMaxBytes();
        leaderEpoch = asked.currentLeaderEpoch();
    }

    long fetchOffset() {
        return fetchOffset;
    }

    int maxBytes() {
        return maxBytes;
    }

    int leaderEpoch() {
        return leaderEpoch;
    }

    // ---- what was found ----

    /** Forgets what an earlier read found. */
    void clear() {
        if (slice != null) slice.close();
        slice = null;
        view = null;
        error = Errors.NONE;
        aborted = List.of();
        pending = false;
    }

    void found(Errors failure) {
        error = failure;
        endSeenAt = UNKNOWN;
    }

    /** Nothing has come since the last read saw the end. */
    void foundQuiet(LogView now) {
        view = now;
    }

    /** Nothing was read: the response is full, or it comes from a disk later. */
    void notRead(LogView now) {
        view = now;
        endSeenAt = UNKNOWN;
    }

    /**
     * @param bound end of what this fetch may read in the records' view
     */
    void found(ReadOutcome.Records records, long bound) {
        view = records.view();
        slice = records.slice();
        aborted = records.aborted();
        // No bytes are no proof of the end: the next batch may have been too large for the room.
        endSeenAt = slice == null && fetchOffset >= bound ? fetchOffset : UNKNOWN;
    }

    /** A read from disk is under way. */
    void pending(boolean is) {
        pending = is;
    }

    boolean isPending() {
        return pending;
    }

    int bytes() {
        return slice == null ? 0 : slice.sizeInBytes();
    }

    Errors error() {
        return error;
    }

    /**
     * Whether the last read ended at this offset and nothing has happened in the log since. The
     * watch alone does not tell: it fires a moment after the records have been acknowledged.
     *
     * @param bound end of what this fetch may read in {@code now}
     */
    boolean isQuiet(HostedLog log, LogView now, long bound) {
        return watched == log
                && !fired
                && endSeenAt == fetchOffset
                && bound <= fetchOffset
                && now.logStartOffset() <= fetchOffset;
    }

    // ---- the response ----

    /** Whether an incremental response must mention it. */
    boolean hasNews() {
        return error != Errors.NONE
                || bytes() > 0
                || highWatermark() != toldHighWatermark
                || logStart() != toldLogStart;
    }

    /** As it goes onto the wire, records included; they belong to the response from now on. */
    PartitionData tell(Isolation isolation) {
        toldHighWatermark = highWatermark();
        // An error is told again until it is gone.
        toldLogStart = error == Errors.NONE ? logStart() : UNKNOWN;
        if (error != Errors.NONE) toldHighWatermark = UNKNOWN;
        PartitionData data =
                new PartitionData()
                        .setPartitionIndex(key.partition())
                        .setErrorCode(error.code())
                        .setHighWatermark(highWatermark())
                        .setLastStableOffset(view == null ? UNKNOWN : view.lastStableOffset())
                        .setLogStartOffset(logStart())
                        .setAbortedTransactions(aborted(isolation))
                        .setRecords(slice == null ? MemoryRecords.EMPTY : slice);
        slice = null;
        return data;
    }

    private long highWatermark() {
        return view == null ? UNKNOWN : view.highWatermark();
    }

    private long logStart() {
        return view == null ? UNKNOWN : view.logStartOffset();
    }

    /** Null, as opposed to empty, tells the client that it did not ask. */
    private List<AbortedTransaction> aborted(Isolation isolation) {
        boolean unknown =
                error == Errors.UNKNOWN_TOPIC_ID || error == Errors.UNKNOWN_TOPIC_OR_PARTITION;
        if (unknown) return List.of(); // as Kafka writes it
        if (isolation != Isolation.LAST_STABLE || error != Errors.NONE) return null;
        List<AbortedTransaction> ranges = new ArrayList<>(aborted.size());
        for (ReadOutcome.AbortedRange range : aborted) {
            ranges.add(
                    new AbortedTransaction()
                            .setProducerId(range.producerId())
                            .setFirstOffset(range.firstOffset()));
        }
        return ranges;
    }

    // ---- the watch ----

    /**
     * Has {@code call} woken when the log moves; true if it may have moved since it was read, so
     * that it must be read again.
     */
    boolean watch(HostedLog log, FetchCall call) {
        boolean registered = watched == log && !fired;
        if (!registered) {
            unwatch();
            fired = false;
            watched = log;
            log.watch(this);
        }
        waiter = call;
        // What moved between the read and now is not told, and what was seen is the end no longer.
        boolean moved = fired || (!registered && !log.view().equals(view));
        if (moved) endSeenAt = UNKNOWN;
        return moved;
    }

    boolean hasFired() {
        return fired;
    }

    /** The fetch is over; the watch stays for the next one. */
    void stopWaiting() {
        waiter = null;
    }

    /** Nobody will fetch it any more. */
    void unwatch() {
        waiter = null;
        if (watched != null) watched.unwatch(this);
        watched = null;
    }

    /** On the log's lane. */
    @Override
    public void moved(HostedLog log) {
        fired = true;
        FetchCall waiting = waiter;
        if (waiting != null) waiting.wake();
    }
}
