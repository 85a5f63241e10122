// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.data;

import io.oxbow.replication.PartitionState.Leading;
import io.oxbow.storage.batch.CheckedBatches;
import io.oxbow.storage.lane.HostedLog;
import io.oxbow.storage.lane.Lane;
import io.oxbow.storage.lane.LogWatcher;
import io.oxbow.storage.log.AppendOrigin;
import io.oxbow.storage.log.AppendOutcome;
import io.oxbow.storage.log.AppendRequest;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.common.message.ProduceResponseData.BatchIndexAndErrorMessage;
import org.apache.kafka.common.message.ProduceResponseData.LeaderIdAndEpoch;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.protocol.Errors;

/**
 * One partition of a produce request: refused, or appended and, with acks=all, waiting until the
 * high watermark has passed it. Prepared by the network thread, settled once by its lane or the
 * timer; the count in {@link ProduceCall} hands its fields to the thread that answers.
 */
final class ProducePartition implements AppendRequest.Completion, LogWatcher {
    private static final int NONE = -1;

    private final ProduceCall call;
    private final String topic;
    private final PartitionProduceResponse response;

    private Leading leading;
    private CheckedBatches batches;
    private Errors error = Errors.NONE;

    /** Offset of the last record, once appended. */
    private long lastOffset;

    /** Whether it has been settled: by its lane, or by the timer while waiting for followers. */
    private final AtomicBoolean settled = new AtomicBoolean();

    /** Set by the lane when bytes are written and only followers are missing; read by the timer. */
    private volatile boolean waiting;

    ProducePartition(ProduceCall call, String topic, PartitionProduceResponse response) {
        this.call = call;
        this.topic = topic;
        this.response = response;
    }

    // ---- network thread ----

    void refuse(Errors with, String message) {
        error = with;
        response.setErrorCode(with.code())
                .setErrorMessage(message)
                .setBaseOffset(NONE)
                .setLogAppendTimeMs(NONE)
                .setLogStartOffset(NONE);
    }

    void accept(Leading by, CheckedBatches checked) {
        leading = by;
        batches = checked;
    }

    /** Sends the batch to its lane, if there is one; returns the lane if it is full. */
    Lane send() {
        if (leading == null) {
            settle();
            return null;
        }
        HostedLog log = leading.log();
        AppendRequest append =
                new AppendRequest(batches, AppendOrigin.CLIENT, leading.leaderEpoch(), this);
        return log.append(append) ? null : log.lane();
    }

    /** Sending it threw. */
    void failed(String why) {
        if (!settled.compareAndSet(false, true)) return;
        refuse(Errors.UNKNOWN_SERVER_ERROR, why);
        call.settled();
    }

    // ---- the log's lane ----

    @Override
    public void done(AppendOutcome outcome) {
        switch (outcome) {
            case AppendOutcome.Appended a ->
                    written(
                            a.baseOffset(),
                            a.lastOffset(),
                            a.logAppendTimeMs(),
                            a.logStartOffset());
            case AppendOutcome.Duplicate d ->
                    written(
                            d.baseOffset(),
                            d.lastOffset(),
                            d.logAppendTimeMs(),
                            d.logStartOffset());
            case AppendOutcome.Refused refused -> {
                refuse(ProduceErrors.of(refused.reason()), refused.message());
                if (ProduceErrors.tellsLogStart(refused.reason())) {
                    response.setLogStartOffset(leading.log().view().logStartOffset());
                }
                for (AppendOutcome.RecordError each : refused.recordErrors()) {
                    response.recordErrors()
                            .add(
                                    new BatchIndexAndErrorMessage()
                                            .setBatchIndex(each.batchIndex())
                                            .setBatchIndexErrorMessage(each.message()));
                }
                settle();
            }
        }
    }

    private void written(long baseOffset, long last, long logAppendTimeMs, long logStartOffset) {
        response.setBaseOffset(baseOffset)
                .setLogAppendTimeMs(logAppendTimeMs)
                .setLogStartOffset(logStartOffset);
        lastOffset = last;
        if (call.waitsForFollowers() && !committed()) awaitCommit();
        else settle();
    }

    private boolean committed() {
        return leading.log().view().highWatermark() > lastOffset;
    }

    private void awaitCommit() {
        waiting = true;
        call.waits();
        moved(leading.log());
    }

    @Override
    public void moved(HostedLog log) {
        if (settled.get()) return;
        log.watch(this);
        // Registered first, so that no movement is missed between the look and the watch.
        String unavailable = log.unavailableBecause();
        boolean committed = committed();
        // After that: what a high watermark of another leader covers may be other records.
        boolean leads = log.ledSince(leading.leaderEpoch());
        if (unavailable == null && leads && !committed) return;
        log.unwatch(this);
        if (!settled.compareAndSet(false, true)) return;
        if (unavailable != null) refuse(Errors.KAFKA_STORAGE_ERROR, unavailable);
        else if (!leads) refuse(Errors.NOT_LEADER_OR_FOLLOWER, "Another broker leads now");
        call.settled();
    }

    // ---- the timer ----

    void timedOut() {
        if (!waiting || !settled.compareAndSet(false, true)) return;
        leading.log().unwatch(this);
        refuse(Errors.REQUEST_TIMED_OUT, "Not all in-sync replicas have it yet");
        call.settled();
    }

    // ---- who answers ----

    boolean failed() {
        return error != Errors.NONE;
    }

    Errors error() {
        return error;
    }

    void nameLeader(LeaderHints hints) {
        LeaderHints.Leader leader = hints.leader(topic, response.index());
        response.setCurrentLeader(
                new LeaderIdAndEpoch()
                        .setLeaderId(leader.nodeId())
                        .setLeaderEpoch(leader.leaderEpoch()));
    }

    private void settle() {
        if (settled.compareAndSet(false, true)) call.settled();
    }
}
