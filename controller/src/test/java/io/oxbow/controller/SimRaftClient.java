// SPDX-License-Identifier: Apache-2.0
package io.oxbow.controller;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.message.LeaderChangeMessage;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.raft.Batch;
import org.apache.kafka.raft.BatchReader;
import org.apache.kafka.raft.ControlRecord;
import org.apache.kafka.raft.LeaderAndEpoch;
import org.apache.kafka.raft.RaftClient;
import org.apache.kafka.raft.errors.NotLeaderException;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.apache.kafka.server.common.KRaftVersion;
import org.apache.kafka.server.common.OffsetAndEpoch;
import org.apache.kafka.snapshot.SnapshotWriter;

/**
 * A model of raft for one listener: appends wait until the test commits them; leadership comes and
 * goes by command. Any thread may append; the test's thread drives the rest.
 */
final class SimRaftClient implements RaftClient<ApiMessageAndVersion> {
    private final int nodeId;
    private final List<Batch<ApiMessageAndVersion>> committed = new ArrayList<>();
    private final List<Batch<ApiMessageAndVersion>> uncommitted = new ArrayList<>();
    private Listener<ApiMessageAndVersion> listener;
    private long endOffset;
    private int leaderEpoch;
    private boolean leads;
    private boolean commitsAtOnce;
    private int scheduled;
    private int resigned = -1;

    SimRaftClient(int nodeId) {
        this.nodeId = nodeId;
    }

    /** Each append is committed as soon as it is scheduled. */
    SimRaftClient committingAtOnce() {
        commitsAtOnce = true;
        return this;
    }

    /** The log before this offset is in a snapshot. */
    synchronized void startAt(long offset) {
        endOffset = offset;
    }

    synchronized void becomeLeader(int epoch) {
        leads = true;
        leaderEpoch = epoch;
        committed.add(
                Batch.control(
                        endOffset,
                        epoch,
                        0,
                        10,
                        List.of(ControlRecord.of(new LeaderChangeMessage()))));
        endOffset++;
        listener.handleCommit(new Reader(List.of(committed.getLast())));
        listener.handleLeaderChange(new LeaderAndEpoch(OptionalInt.of(nodeId), epoch));
    }

    /** Another node leads; what is not committed is cut off. */
    synchronized void loseLeadership(int otherNode, int epoch) {
        leads = false;
        leaderEpoch = epoch;
        if (!uncommitted.isEmpty()) endOffset = uncommitted.getFirst().baseOffset();
        uncommitted.clear();
        listener.handleLeaderChange(new LeaderAndEpoch(OptionalInt.of(otherNode), epoch));
    }

    /** The other leader commits records. */
    synchronized void commitFromOther(List<ApiMessageAndVersion> records) {
        Batch<ApiMessageAndVersion> batch = Batch.data(endOffset, leaderEpoch, 0, 10, records);
        endOffset += records.size();
        committed.add(batch);
        listener.handleCommit(new Reader(List.of(batch)));
    }

    /** Commits everything that was appended. */
    synchronized void commit() {
        if (uncommitted.isEmpty()) return;
        List<Batch<ApiMessageAndVersion>> batches = List.copyOf(uncommitted);
        uncommitted.clear();
        committed.addAll(batches);
        listener.handleCommit(new Reader(batches));
    }

    /** Commits the first append only. */
    synchronized void commitOne() {
        Batch<ApiMessageAndVersion> batch = uncommitted.removeFirst();
        committed.add(batch);
        listener.handleCommit(new Reader(List.of(batch)));
    }

    synchronized int uncommittedAppends() {
        return uncommitted.size();
    }

    /** All records that are committed. */
    synchronized List<ApiMessageAndVersion> records() {
        return committed.stream().flatMap(batch -> batch.records().stream()).toList();
    }

    synchronized List<Batch<ApiMessageAndVersion>> batches() {
        return List.copyOf(committed);
    }

    synchronized int resignedEpoch() {
        return resigned;
    }

    @Override
    public synchronized long prepareAppend(int epoch, List<ApiMessageAndVersion> records) {
        if (!leads || epoch != leaderEpoch) throw new NotLeaderException("not in epoch " + epoch);
        uncommitted.add(Batch.data(endOffset, epoch, 0, 10, records));
        endOffset += records.size();
        return endOffset - 1;
    }

    @Override
    public void schedulePreparedAppend() {
        scheduled++;
        if (commitsAtOnce) commit();
    }

    int scheduled() {
        return scheduled;
    }

    @Override
    public void register(Listener<ApiMessageAndVersion> newListener) {
        listener = newListener;
    }

    @Override
    public void unregister(Listener<ApiMessageAndVersion> oldListener) {}

    @Override
    public OptionalLong highWatermark() {
        return OptionalLong.empty();
    }

    @Override
    public LeaderAndEpoch leaderAndEpoch() {
        return new LeaderAndEpoch(
                leads ? OptionalInt.of(nodeId) : OptionalInt.empty(), leaderEpoch);
    }

    @Override
    public OptionalInt nodeId() {
        return OptionalInt.of(nodeId);
    }

    @Override
    public Optional<Node> voterNode(int id, ListenerName name) {
        return Optional.empty();
    }

    @Override
    public CompletionStage<Void> shutdown(int timeoutMs) {
        return CompletableFuture.completedStage(null);
    }

    @Override
    public synchronized void resign(int epoch) {
        resigned = epoch;
    }

    @Override
    public Optional<SnapshotWriter<ApiMessageAndVersion>> createSnapshot(
            OffsetAndEpoch id, long timeMs) {
        return Optional.empty();
    }

    @Override
    public Optional<OffsetAndEpoch> latestSnapshotId() {
        return Optional.empty();
    }

    @Override
    public synchronized long logEndOffset() {
        return endOffset;
    }

    @Override
    public KRaftVersion kraftVersion() {
        return KRaftVersion.KRAFT_VERSION_1;
    }

    @Override
    public void upgradeKRaftVersion(int epoch, KRaftVersion version, boolean validateOnly) {}

    @Override
    public void close() {}

    private static final class Reader implements BatchReader<ApiMessageAndVersion> {
        private final List<Batch<ApiMessageAndVersion>> batches;
        private final Iterator<Batch<ApiMessageAndVersion>> left;

        Reader(List<Batch<ApiMessageAndVersion>> batches) {
            this.batches = batches;
            left = batches.iterator();
        }

        @Override
        public long baseOffset() {
            return batches.getFirst().baseOffset();
        }

        @Override
        public OptionalLong lastOffset() {
            return OptionalLong.of(batches.getLast().lastOffset());
        }

        @Override
        public boolean hasNext() {
            return left.hasNext();
        }

        @Override
        public Batch<ApiMessageAndVersion> next() {
            return left.next();
        }

        @Override
        public void close() {}
    }
}
