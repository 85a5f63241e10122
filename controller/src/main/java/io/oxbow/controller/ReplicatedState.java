// SPDX-License-Identifier: Apache-2.0
package io.oxbow.controller;

import io.oxbow.base.Invariant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.MetadataProvenance;
import org.apache.kafka.raft.Batch;
import org.apache.kafka.raft.BatchReader;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.apache.kafka.snapshot.SnapshotReader;

/**
 * The committed image, and after it one image for each append that is not committed yet.
 *
 * <p>The active controller decides over the last of them. A commit moves the committed image along
 * the line without replaying anything; the loss of leadership drops the line. The raft library
 * never commits half of an append, so each commit ends at the end of one of them (or between them,
 * at a control record).
 *
 * <p>Belongs to {@code oxbow-controller}.
 */
final class ReplicatedState {
    private RecordReplay committed = RecordReplay.EMPTY;
    private long committedOffset = -1;
    private final ArrayDeque<Prepared> prepared = new ArrayDeque<>();

    /** The state after an append whose last record has this offset. */
    private record Prepared(long lastOffset, RecordReplay state) {}

    /** What decisions are made over. */
    RecordReplay working() {
        return prepared.isEmpty() ? committed : prepared.peekLast().state();
    }

    MetadataImage committedImage() {
        return committed.image();
    }

    /** The last offset that is known to be committed; -1 if none is. */
    long committedOffset() {
        return committedOffset;
    }

    /** The offset of the last append that is not committed; -1 if there is none. */
    long preparedOffset() {
        return prepared.isEmpty() ? -1 : prepared.peekLast().lastOffset();
    }

    /** Appends that are not committed. */
    int outstanding() {
        return prepared.size();
    }

    /** Records were handed to raft. */
    void prepare(long lastOffset, RecordReplay state) {
        Invariant.check(
                lastOffset > Math.max(committedOffset, preparedOffset()),
                "offsets of appends ascend",
                lastOffset,
                preparedOffset());
        prepared.addLast(new Prepared(lastOffset, state));
    }

    /** This node leads: its own appends up to the last offset read are committed. */
    void commitPrepared(BatchReader<ApiMessageAndVersion> reader) {
        while (reader.hasNext()) {
            Batch<ApiMessageAndVersion> batch = reader.next();
            committedOffset = batch.lastOffset();
            if (batch.records().isEmpty()) continue;
            boolean found = false;
            while (!prepared.isEmpty() && prepared.peekFirst().lastOffset() <= committedOffset) {
                Prepared append = prepared.pollFirst();
                found = append.lastOffset() == committedOffset;
                committed = append.state();
            }
            Invariant.check(found, "a commit ends where an append ends", committedOffset, -1);
        }
    }

    /** Another node leads, or this one is catching up: records are replayed. */
    void replay(BatchReader<ApiMessageAndVersion> reader) {
        Invariant.check(prepared.isEmpty(), "only the active controller prepares records");
        while (reader.hasNext()) {
            Batch<ApiMessageAndVersion> batch = reader.next();
            committedOffset = batch.lastOffset();
            if (batch.records().isEmpty()) continue;
            committed =
                    committed.replay(
                            batch.records(),
                            new MetadataProvenance(
                                    batch.lastOffset(),
                                    batch.epoch(),
                                    batch.appendTimestamp(),
                                    true));
        }
    }

    /** A snapshot replaces everything. */
    void load(SnapshotReader<ApiMessageAndVersion> reader) {
        Invariant.check(prepared.isEmpty(), "the active controller loads no snapshot");
        MetadataDelta delta = new MetadataDelta.Builder().setImage(MetadataImage.EMPTY).build();
        List<ApiMessageAndVersion> records = new ArrayList<>();
        while (reader.hasNext()) records.addAll(reader.next().records());
        for (ApiMessageAndVersion record : records) delta.replay(record.message());
        delta.finishSnapshot();
        committedOffset = reader.lastContainedLogOffset();
        committed =
                new RecordReplay(
                        delta.apply(
                                new MetadataProvenance(
                                        committedOffset,
                                        reader.lastContainedLogEpoch(),
                                        reader.lastContainedLogTimestamp(),
                                        true)),
                        null);
    }

    /** Leadership is lost: what is not committed never was. */
    void dropPrepared() {
        prepared.clear();
    }
}
