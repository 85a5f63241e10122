// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.lane;

import io.oxbow.storage.log.AppendRequest;
import io.oxbow.storage.log.EpochEnd;
import io.oxbow.storage.log.LogSettings;
import io.oxbow.storage.log.LogView;
import io.oxbow.storage.log.ProducerSnapshot;
import io.oxbow.storage.log.ReadHint;
import io.oxbow.storage.log.ReadOutcome;
import io.oxbow.storage.log.ReadRequest;
import io.oxbow.storage.log.TimestampOffset;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;

/**
 * A partition's log as everybody but its lane sees it. Any thread may call any method; none blocks.
 * Futures and callbacks complete on the lane's thread or on one of its readers: the callee posts to
 * its own thread.
 */
public final class HostedLog {

    public TopicPartition topicPartition() {
        throw new UnsupportedOperationException();
    }

    public Uuid topicId() {
        throw new UnsupportedOperationException();
    }

    /** Id of the log directory that holds it. */
    public Uuid directoryId() {
        throw new UnsupportedOperationException();
    }

    /** The lane that writes it now. */
    public Lane lane() {
        throw new UnsupportedOperationException();
    }

    /** The latest published view. */
    public LogView view() {
        throw new UnsupportedOperationException();
    }

    /** Bytes of all segments; a snapshot, never a walk over the files. */
    public long sizeBytes() {
        throw new UnsupportedOperationException();
    }

    /** Null while the log can be used, else why it cannot (directory offline, closed, deleted). */
    public String unavailableBecause() {
        throw new UnsupportedOperationException();
    }

    /**
     * Sends an append to the lane. False if the lane's inbox is full: nothing was taken, and the
     * caller stops reading its connection until {@code lane().whenRoom} calls back.
     */
    public boolean append(AppendRequest request) {
        throw new UnsupportedOperationException();
    }

    /**
     * Reads without waiting for a disk. {@code hint} belongs to this reader of this partition and
     * may be null.
     */
    public ReadOutcome read(ReadRequest request, ReadHint hint) {
        throw new UnsupportedOperationException();
    }

    /**
     * After {@link ReadOutcome.NotCached}: one of the lane's readers fetches it from disk first.
     */
    public void readLater(ReadRequest request, Consumer<ReadOutcome> then) {
        throw new UnsupportedOperationException();
    }

    /** Calls {@code watcher} at the next movement of high watermark or last stable offset, once. */
    public void watch(LogWatcher watcher) {
        throw new UnsupportedOperationException();
    }

    /** Forgets a watcher that was not called yet. */
    public void unwatch(LogWatcher watcher) {
        throw new UnsupportedOperationException();
    }

    /**
     * First record whose time-stamp is at least {@code timestampMs}; {@code NONE} if there is none.
     */
    public CompletableFuture<TimestampOffset> offsetForTimestamp(long timestampMs) {
        throw new UnsupportedOperationException();
    }

    /** The record with the largest time-stamp (ListOffsets -3). */
    public CompletableFuture<TimestampOffset> offsetOfMaxTimestamp() {
        throw new UnsupportedOperationException();
    }

    /** Where {@code leaderEpoch} ended. Answered from memory. */
    public EpochEnd endOffsetForEpoch(int leaderEpoch) {
        throw new UnsupportedOperationException();
    }

    /** Epoch of the record at {@code offset}, or -1. Answered from memory. */
    public int epochForOffset(long offset) {
        throw new UnsupportedOperationException();
    }

    /** The latest leader epoch that has records, or -1. */
    public int latestEpoch() {
        throw new UnsupportedOperationException();
    }

    /**
     * Moves the log start up to {@code offset} (DeleteRecords); completes with the new log start.
     * Fails with {@link io.oxbow.base.error.ClientException} OFFSET_OUT_OF_RANGE beyond the high
     * watermark.
     */
    public CompletableFuture<Long> deleteRecordsBefore(long offset) {
        throw new UnsupportedOperationException();
    }

    /** Producers that the log knows now. */
    public CompletableFuture<List<ProducerSnapshot>> producers() {
        throw new UnsupportedOperationException();
    }

    /** Replaces the settings; in effect when the future completes. */
    public CompletableFuture<Void> reconfigure(LogSettings settings) {
        throw new UnsupportedOperationException();
    }

    /**
     * This broker leads from {@code leaderEpoch} on: the epoch is noted at the log end. The high
     * watermark follows the log end while {@code soleReplica}, else it moves only by {@link
     * #raiseHighWatermark}.
     */
    public CompletableFuture<Void> lead(int leaderEpoch, boolean soleReplica) {
        throw new UnsupportedOperationException();
    }

    /** Raises the high watermark to at most the log end (leader: by ISR progress). */
    public CompletableFuture<Void> raiseHighWatermark(long offset) {
        throw new UnsupportedOperationException();
    }

    /** Removes everything from {@code offset} on (follower). */
    public CompletableFuture<Void> truncateTo(long offset) {
        throw new UnsupportedOperationException();
    }
}
