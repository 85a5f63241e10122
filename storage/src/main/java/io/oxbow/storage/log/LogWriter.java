// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.log;

import io.oxbow.base.error.OxbowException;
import io.oxbow.storage.batch.BatchFormat;
import io.oxbow.storage.batch.CheckedBatches;
import io.oxbow.storage.log.AppendOutcome.Appended;
import io.oxbow.storage.log.AppendOutcome.Duplicate;
import io.oxbow.storage.log.AppendOutcome.Reason;
import io.oxbow.storage.log.AppendOutcome.Refused;
import io.oxbow.storage.producer.CompletedTransaction;
import io.oxbow.storage.producer.ProducerEntry;
import io.oxbow.storage.producer.ProducerRules.Sender;
import io.oxbow.storage.producer.ProducerVerdict;
import io.oxbow.storage.segment.SegmentAppender;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The appending side of a log: judges and stages appends, then writes all that are staged by one
 * gathering write per segment. Owned by the owner of the log.
 */
final class LogWriter {
    private final PartitionLog log;
    private final SegmentList segments;
    private final ProducerHistory producers;
    private final Staging staging = new Staging();
    private final EarlierBatches earlier = new EarlierBatches();

    /** Taken off {@code segment.ms} for the present active segment; -1: to be drawn. */
    private long jitterMs = -1;

    LogWriter(PartitionLog log, SegmentList segments, ProducerHistory producers) {
        this.log = log;
        this.segments = segments;
        this.producers = producers;
    }

    boolean nothingStaged() {
        return staging.isEmpty();
    }

    // ---- staging ----

    private long stagedEnd() {
        return staging.isEmpty()
                ? log.endOffset()
                : staging.at(staging.size() - 1).lastOffset() + 1;
    }

    AppendOutcome stage(CheckedBatches batches, AppendOrigin origin, int leaderEpoch) {
        return switch (origin) {
            case CLIENT, COORDINATOR -> assign(batches, origin, leaderEpoch);
            case TRANSACTION_MARKER -> assignOffsets(batches.buffer(), origin, leaderEpoch);
            case RAFT_LEADER, REPLICATION -> copy(batches.buffer(), origin);
        };
    }

    private AppendOutcome assign(CheckedBatches batches, AppendOrigin origin, int leaderEpoch) {
        TopicRules rules = new TopicRules(log.settings(), log.clock().wallMs());
        Refused refused = rules.checkSizes(batches);
        if (refused != null) return refused;
        TopicRules.Verdict verdict = rules.apply(batches);
        if (verdict.refused() != null) return verdict.refused();
        return assignOffsets(verdict.batches(), origin, leaderEpoch);
    }

    /** A leader's append: offsets follow on, epoch and timestamps are patched. */
    private AppendOutcome assignOffsets(ByteBuffer buffer, AppendOrigin origin, int leaderEpoch) {
        long base = stagedEnd();
        boolean appendTime = log.settings().logAppendTime();
        long now = appendTime ? log.clock().wallMs() : -1;
        Effects effects = new Effects(origin == AppendOrigin.CLIENT ? Sender.CLIENT : COORDINATOR);
        long next = base;
        long maxTimestampMs = -1;
        for (int at = buffer.position(); at < buffer.limit(); ) {
            AppendOutcome other = effects.judge(buffer, at, next);
            if (other != null) return drop(other);
            patch(buffer, at, next, leaderEpoch, now);
            maxTimestampMs = Math.max(maxTimestampMs, BatchFormat.maxTimestamp(buffer, at));
            next += BatchFormat.lastOffsetDelta(buffer, at) + 1L;
            at += BatchFormat.sizeBytes(buffer, at);
        }
        staging.add(new Staging.Append(buffer, base, next - 1, maxTimestampMs, effects.all));
        return new Appended(base, next - 1, now, log.logStartOffset());
    }

    private static final Sender COORDINATOR = Sender.COORDINATOR;

    private static void patch(ByteBuffer buffer, int at, long base, int leaderEpoch, long nowMs) {
        BatchFormat.patchBaseOffset(buffer, at, base);
        BatchFormat.patchLeaderEpoch(buffer, at, leaderEpoch);
        if (nowMs >= 0) BatchFormat.patchLogAppendTime(buffer, at, nowMs);
        else if (BatchFormat.logAppendTime(buffer, at)) BatchFormat.patchCreateTime(buffer, at);
    }

    /** A copy of another log, or what the raft leader made: kept as it is. */
    private AppendOutcome copy(ByteBuffer buffer, AppendOrigin origin) {
        long expected = stagedEnd();
        long base = -1;
        long maxTimestampMs = -1;
        Effects effects = new Effects(Sender.LOG);
        for (int at = buffer.position(); at < buffer.limit(); ) {
            long first = BatchFormat.baseOffset(buffer, at);
            boolean follows =
                    origin == AppendOrigin.RAFT_LEADER ? first == expected : first >= expected;
            if (!follows) {
                return drop(
                        new Refused(
                                Reason.OFFSETS_NOT_MONOTONIC,
                                "A batch at offset " + first + " does not follow " + expected));
            }
            if (base < 0) base = first;
            effects.judge(buffer, at, first);
            maxTimestampMs = Math.max(maxTimestampMs, BatchFormat.maxTimestamp(buffer, at));
            expected = BatchFormat.lastOffset(buffer, at) + 1;
            at += BatchFormat.sizeBytes(buffer, at);
        }
        staging.add(new Staging.Append(buffer, base, expected - 1, maxTimestampMs, effects.all));
        return new Appended(base, expected - 1, -1, log.logStartOffset());
    }

    /** Nothing of this append is staged; what it did to producers is taken back. */
    private AppendOutcome drop(AppendOutcome outcome) {
        producers.table().dropStaged();
        for (int i = 0; i < staging.size(); i++) {
            List<ProducerVerdict.Accepted> effects = staging.at(i).effects();
            if (effects == null) continue;
            for (ProducerVerdict.Accepted effect : effects) {
                producers.table().stage(effect.next());
            }
        }
        return outcome;
    }

    /** What one append does to producers. */
    private final class Effects {
        private final Sender sender;
        private List<ProducerVerdict.Accepted> all;

        Effects(Sender sender) {
            this.sender = sender;
        }

        /** Null if the batch may be written, else what the append comes to. */
        AppendOutcome judge(ByteBuffer buffer, int at, long base) {
            return switch (producers.judge(buffer, at, base, sender)) {
                case null -> null;
                case ProducerVerdict.Accepted accepted -> {
                    producers.table().stage(accepted.next());
                    if (all == null) all = new ArrayList<>(1);
                    all.add(accepted);
                    yield null;
                }
                case ProducerVerdict.Duplicate twice -> duplicate(twice.batch());
                case ProducerVerdict.Refused refused -> refuse(refused, buffer, at);
            };
        }

        /** Refused, unless it is out of order because it was written before the snapshot. */
        private AppendOutcome refuse(ProducerVerdict.Refused refused, ByteBuffer buffer, int at) {
            if (refused.reason() == ProducerVerdict.Reason.OUT_OF_ORDER_SEQUENCE) {
                ProducerEntry.Batch twice =
                        earlier.find(segments.all(), producers.restoredFrom(), buffer, at);
                if (twice != null) return duplicate(twice);
            }
            return new Refused(reason(refused.reason()), refused.message());
        }

        private AppendOutcome duplicate(ProducerEntry.Batch twice) {
            return new Duplicate(
                    twice.firstOffset(),
                    twice.lastOffset(),
                    log.settings().logAppendTime() ? twice.timestampMs() : -1,
                    log.logStartOffset());
        }
    }

    private static Reason reason(ProducerVerdict.Reason reason) {
        return switch (reason) {
            case OUT_OF_ORDER_SEQUENCE -> Reason.OUT_OF_ORDER_SEQUENCE;
            case INVALID_PRODUCER_EPOCH -> Reason.INVALID_PRODUCER_EPOCH;
            case INVALID_TXN_STATE -> Reason.INVALID_TXN_STATE;
            case COORDINATOR_FENCED -> Reason.COORDINATOR_FENCED;
        };
    }

    // ---- writing ----

    void writeStaged() {
        if (staging.isEmpty()) return;
        long before = log.endOffset();
        try {
            writeRuns();
        } catch (OxbowException failure) {
            takeBack(before, failure);
            throw failure;
        } finally {
            staging.clear();
            producers.table().dropStaged();
        }
        log.publish();
    }

    private void takeBack(long endOffset, OxbowException failure) {
        producers.table().dropStaged();
        if (log.endOffset() == endOffset) return;
        try {
            log.truncateTo(endOffset);
        } catch (OxbowException second) {
            // Records that are refused must not be served: this failure is the one that counts.
            second.addSuppressed(failure);
            throw second;
        }
    }

    private void writeRuns() {
        int from = 0;
        boolean rolled = false;
        while (from < staging.size()) {
            SegmentAppender appender = appender();
            int to = from;
            long bytes = 0;
            while (to < staging.size()) {
                Staging.Append next = staging.at(to);
                boolean first = to == from && rolled;
                if (!first && rollDue(appender, bytes, staging.at(from), next)) break;
                bytes += next.sizeBytes();
                to++;
            }
            if (to == from) {
                log.rollAt(Math.max(log.endOffset(), staging.at(from).baseOffset()));
                rolled = true;
                continue;
            }
            rolled = false;
            writeRun(appender, from, to, bytes);
            from = to;
        }
    }

    private SegmentAppender appender() {
        return segments.appender(log.endOffset(), log.clock().wallMs());
    }

    private boolean rollDue(
            SegmentAppender appender,
            long bytesBefore,
            Staging.Append firstOfRun,
            Staging.Append next) {
        long now = log.clock().wallMs();
        ByteBuffer first = firstOfRun.batches();
        long firstMs = BatchFormat.maxTimestamp(first, first.position());
        RollRule.Facts facts =
                new RollRule.Facts(
                        appender.segment().sizeBytes() + bytesBefore,
                        appender.ageMs(now, next.maxTimestampMs(), firstMs),
                        appender.indexFull(log.settings().segmentIndexBytes()),
                        appender.reaches(next.lastOffset()),
                        next.sizeBytes());
        return RollRule.due(facts, log.settings(), jitterMs());
    }

    private void writeRun(SegmentAppender appender, int from, int to, long bytes) {
        noteEpochs(from, to);
        long position = appender.segment().sizeBytes();
        appender.write(staging.buffers(from, to), to - from, bytes);
        for (int i = from; i < to; i++) {
            Staging.Append append = staging.at(i);
            ByteBuffer buffer = append.batches();
            for (int at = buffer.position(); at < buffer.limit(); ) {
                appender.index(buffer, at, position);
                int size = BatchFormat.sizeBytes(buffer, at);
                position += size;
                at += size;
            }
            // Noted before its effects are applied: a failure from here on is cut back.
            log.wrote(append.lastOffset() + 1, position, append.sizeBytes());
            apply(append, appender);
        }
    }

    /** Before the batches are written: their epochs must not be less durable than they are. */
    private void noteEpochs(int from, int to) {
        for (int i = from; i < to; i++) {
            ByteBuffer buffer = staging.at(i).batches();
            for (int at = buffer.position(); at < buffer.limit(); ) {
                int epoch = BatchFormat.leaderEpoch(buffer, at);
                if (epoch > log.epochs().epochs().latest()) {
                    log.epochs().assign(epoch, BatchFormat.baseOffset(buffer, at));
                }
                at += BatchFormat.sizeBytes(buffer, at);
            }
        }
        log.epochs().save();
    }

    private void apply(Staging.Append append, SegmentAppender appender) {
        if (append.effects() != null) {
            for (ProducerVerdict.Accepted effect : append.effects()) {
                producers.table().apply(effect.next());
                if (effect.completed() != null) complete(effect.completed(), appender);
            }
        }
        producers.table().endOffset(append.lastOffset() + 1);
    }

    private void complete(CompletedTransaction ended, SegmentAppender appender) {
        if (ended.aborted()) {
            appender.aborted(producers.aborted(ended));
        }
        producers.table().complete(ended);
    }

    // ---- rolling ----

    /** Whether the active segment is too old as it stands; not asked of one that rests. */
    boolean ageDue() {
        SegmentAppender appender = segments.appenderIfAny();
        if (appender == null) return false;
        long now = log.clock().wallMs();
        return appender.ageMs(now, -1, -1) > log.settings().segmentMs() - jitterMs();
    }

    void rolled() {
        jitterMs = -1;
    }

    void reconfigured() {
        jitterMs = -1;
        SegmentAppender appender = segments.appenderIfAny();
        if (appender != null) appender.indexIntervalBytes(log.settings().indexIntervalBytes());
    }

    private long jitterMs() {
        if (jitterMs < 0) jitterMs = drawJitterMs();
        return jitterMs;
    }

    /** Spreads the rolls of many logs; drawn from the partition and its segment, so repeatable. */
    private long drawJitterMs() {
        long most = Math.min(log.settings().segmentJitterMs(), log.settings().segmentMs());
        if (most <= 0) return 0;
        long seed =
                log.topicPartition().hashCode() * 0x9E3779B97F4A7C15L
                        + segments.active().baseOffset();
        seed = (seed ^ seed >>> 32) * 0xD6E8FEB86659FD93L;
        return Math.floorMod(seed ^ seed >>> 32, most);
    }
}
