// SPDX-License-Identifier: Apache-2.0
package io.oxbow.controller;

import io.oxbow.base.error.RetriableException;
import io.oxbow.base.time.Clock;
import io.oxbow.controller.broker.Fencing;
import io.oxbow.controller.broker.Liveness;
import io.oxbow.controller.decide.ConfigRules;
import io.oxbow.controller.decide.ControllerConfig;
import io.oxbow.controller.decide.Decision;
import io.oxbow.controller.decide.Refusal;
import io.oxbow.controller.decide.Situation;
import io.oxbow.controller.partition.LeaderMoves;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.NotControllerException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.metadata.NoOpRecord;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.metadata.bootstrap.BootstrapMetadata;
import org.apache.kafka.raft.LeaderAndEpoch;
import org.apache.kafka.raft.RaftClient;
import org.apache.kafka.raft.errors.NotLeaderException;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.apache.kafka.server.common.KRaftVersion;
import org.apache.kafka.snapshot.SnapshotReader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the controller does with each event, on one thread and without waiting.
 *
 * <p>Standby: committed records are replayed. Active, from a leader change that names this node to
 * the next one: requests are decided over the working state, one over the other; {@link #flush}
 * gives all their records to raft in one append; replies go out when the append is committed. When
 * leadership is lost, the working state returns to the committed one and all who wait are told that
 * this is not the controller any more (what they asked for may still be committed by the next one).
 *
 * <p>Belongs to {@code oxbow-controller}.
 */
final class ControllerLoop {
    private static final Logger log = LoggerFactory.getLogger(ControllerLoop.class);
    private static final int STANDBY = -1;

    /** Leaders moved back to their preferred replicas at once. */
    private static final int BALANCE_LIMIT = 1_000;

    private final RaftClient<ApiMessageAndVersion> raft;
    private final Clock clock;
    private final RandomGenerator random;
    private final ConfigRules rules;
    private final Liveness liveness;
    private final Router router;
    private final ReplicatedState state = new ReplicatedState();
    private final WaitingReplies waiting = new WaitingReplies();

    private ControllerConfig config;

    /** The epoch in which this node is the active controller, or {@link #STANDBY}. */
    private int epoch = STANDBY;

    private long nextOffset;
    private PendingAppends pending;
    private long lastAppendNanos;
    private long lastTickNanos;
    private long lastBalanceNanos;
    private long lastUncleanNanos;

    ControllerLoop(
            ControllerConfig config,
            RaftClient<ApiMessageAndVersion> raft,
            ConfigRules rules,
            Clock clock,
            RandomGenerator random) {
        this.config = config;
        this.raft = raft;
        this.rules = rules;
        this.clock = clock;
        this.random = random;
        liveness = new Liveness(config.timing().sessionTimeoutMs());
        router = new Router(liveness, this::raftVersion);
        lastTickNanos = clock.nanos();
    }

    /** Handles one event. After the last of a drained batch the caller calls {@link #flush}. */
    void handle(Event event) {
        if (!(event instanceof Event.Request)) flush();
        switch (event) {
            case Event.Request request -> request(request);
            case Event.Commit(var reader) -> {
                try (reader) {
                    if (isActive()) state.commitPrepared(reader);
                    else state.replay(reader);
                }
                waiting.committed(state.committedOffset());
            }
            case Event.Snapshot(var reader) -> {
                try (reader) {
                    state.load(reader);
                }
            }
            case Event.Bootstrap(var reader) -> bootstrap(reader);
            case Event.Leader(var leader) -> leader(leader);
            case Event.Tick() -> tick();
        }
    }

    boolean isActive() {
        return epoch != STANDBY;
    }

    /** Appends that wait for their commit; requests are held back when they are many. */
    int outstanding() {
        return state.outstanding();
    }

    MetadataImage committedImage() {
        return state.committedImage();
    }

    MetadataImage workingImage() {
        return state.working().image();
    }

    /** Gives what was decided since the last call to raft. */
    void flush() {
        if (pending == null) return;
        List<PendingAppends.Append> appends = pending.appends();
        pending = null;
        for (int i = 0; i < appends.size(); i++) {
            PendingAppends.Append append = appends.get(i);
            Optional<RuntimeException> failure = append(append.records(), append.state());
            if (failure.isPresent()) {
                // What was decided over it falls with it.
                for (PendingAppends.Append lost : appends.subList(i, appends.size())) {
                    fail(lost, failure.get());
                }
                break;
            }
            long offset = Math.max(state.preparedOffset(), state.committedOffset());
            for (PendingAppends.Reply reply : append.replies()) {
                waiting.add(
                        new WaitingReplies.Waiting(
                                offset, reply.deadlineNanos(), reply.future(), reply.message()));
            }
        }
        waiting.committed(state.committedOffset());
    }

    /** The node shuts down: everybody who waits is told. */
    void close() {
        flush();
        if (!isActive()) return;
        int resigned = epoch;
        renounce("it is shutting down");
        raft.resign(resigned);
    }

    /** Says why raft did not take the records; nothing has changed then. */
    private Optional<RuntimeException> append(
            List<ApiMessageAndVersion> records, RecordReplay after) {
        if (records.isEmpty()) return Optional.empty();
        if (!isActive()) return Optional.of(notController("it lost the leadership"));
        try {
            long last = raft.prepareAppend(epoch, List.copyOf(records));
            state.prepare(last, after);
            nextOffset = last + 1;
            lastAppendNanos = clock.nanos();
            raft.schedulePreparedAppend();
            return Optional.empty();
        } catch (NotLeaderException lost) {
            String why = "raft says that it does not lead epoch " + epoch;
            renounce(why);
            return Optional.of(notController(why));
        } catch (RecordBatchTooLargeException tooLarge) {
            log.error("Refused {} records that do not fit one append", records.size(), tooLarge);
            String message =
                    "The change has " + records.size() + " records, too many for one append";
            return Optional.of(
                    new RetriableException(message, new PolicyViolationException(message)));
        } catch (RuntimeException refused) {
            log.error("Raft took none of {} records", records.size(), refused);
            return Optional.of(new RetriableException("The metadata log took no records", refused));
        }
    }

    private static void fail(PendingAppends.Append append, RuntimeException failure) {
        append.replies().forEach(reply -> reply.future().completeExceptionally(failure));
    }

    private void request(Event.Request event) {
        long now = clock.nanos();
        if (!isActive()) {
            event.future()
                    .completeExceptionally(
                            notController("another node is, or none is elected yet"));
            return;
        }
        if (now - event.context().deadlineNanos() > 0) {
            event.future().completeExceptionally(timedOut());
            return;
        }
        try {
            Decision<? extends ApiMessage> decision =
                    decide(
                            situation ->
                                    router.decide(
                                            situation, event.context(), event.request(), now));
            pending.reply(
                    new PendingAppends.Reply(
                            event.context().deadlineNanos(), event.future(), decision.reply()));
        } catch (RuntimeException bug) {
            // A decider changes nothing, so only this request is lost.
            log.error("Could not decide {}", event.request(), bug);
            event.future().completeExceptionally(bug);
        }
        if (pending != null && pending.isFull()) flush();
    }

    /** Decides over the working state, and makes the decision part of it. */
    private <D extends Decision<?>> D decide(Function<Situation, D> decider) {
        if (pending == null) pending = new PendingAppends(state.working(), nextOffset, epoch);
        Situation situation =
                new Situation(pending.state().image(), pending.nextOffset(), config, rules, random);
        D decision = decider.apply(situation);
        pending.apply(decision, clock.wallMs());
        return decision;
    }

    private Optional<Refusal> raftVersion(short level, boolean validateOnly) {
        if (raft.kraftVersion().featureLevel() == level) return Optional.empty();
        try {
            raft.upgradeKRaftVersion(epoch, KRaftVersion.fromFeatureLevel(level), validateOnly);
            return Optional.empty();
        } catch (ApiException refused) {
            return Optional.of(new Refusal(Errors.forException(refused), refused.getMessage()));
        }
    }

    private void bootstrap(SnapshotReader<ApiMessageAndVersion> reader) {
        List<ApiMessageAndVersion> records = new ArrayList<>();
        String source;
        try (reader) {
            source = String.valueOf(reader.snapshotId());
            while (reader.hasNext()) records.addAll(reader.next().records());
        }
        if (records.isEmpty()) return;
        BootstrapMetadata bootstrap = BootstrapMetadata.fromRecords(records, source);
        config =
                new ControllerConfig(
                        config.nodeId(),
                        config.clusterId(),
                        bootstrap,
                        config.features(),
                        config.topics(),
                        config.timing());
    }

    private void leader(LeaderAndEpoch leader) {
        if (isActive() && (!leader.isLeader(config.nodeId()) || leader.epoch() != epoch)) {
            renounce("epoch " + leader.epoch() + " is led by " + leader.leaderId());
        }
        if (!isActive() && leader.isLeader(config.nodeId())) claim(leader.epoch());
    }

    private void claim(int newEpoch) {
        epoch = newEpoch;
        nextOffset = raft.logEndOffset();
        long now = clock.nanos();
        lastAppendNanos = now;
        lastTickNanos = now;
        lastBalanceNanos = now;
        lastUncleanNanos = now;
        liveness.begin(state.committedImage().cluster(), now);
        List<ApiMessageAndVersion> records = Activation.records(state.working(), config);
        log.info(
                "This node is the active controller in epoch {} from offset {}; it begins with {}"
                        + " records",
                epoch,
                nextOffset,
                records.size());
        decide(situation -> new Decision<>(records, null));
        flush();
    }

    private void renounce(String why) {
        log.info("This node is not the active controller any more (epoch {}): {}", epoch, why);
        if (pending != null) pending.appends().forEach(lost -> fail(lost, notController(why)));
        pending = null;
        epoch = STANDBY;
        state.dropPrepared();
        waiting.failAll(notController(why));
    }

    private void tick() {
        long now = clock.nanos();
        long pause = now - lastTickNanos;
        lastTickNanos = now;
        if (!isActive()) return;
        waiting.expire(now, timedOut());
        if (isPast(pause, config.timing().sessionTimeoutMs() / 2)) {
            // Whoever could not be heard while this node slept is not to blame.
            liveness.forgive(pause, now);
        }
        for (int broker : liveness.silent(pendingImage().cluster(), now)) {
            log.warn("Fencing broker {}: no heartbeat for a session's time", broker);
            decide(situation -> Fencing.fence(situation, broker));
        }
        elections(now);
        flush();
        if (isActive() && isPast(now - lastAppendNanos, config.timing().maxIdleMs())) {
            decide(s -> new Decision<>(List.of(Decision.record(new NoOpRecord())), null));
            flush();
        }
    }

    private void elections(long now) {
        if (isPast(now - lastBalanceNanos, config.timing().balanceIntervalMs())) {
            lastBalanceNanos = now;
            decide(s -> Decision.divisible(LeaderMoves.preferredElections(s, BALANCE_LIMIT), null));
        }
        if (isPast(now - lastUncleanNanos, config.timing().uncleanIntervalMs())) {
            lastUncleanNanos = now;
            decide(s -> Decision.divisible(LeaderMoves.uncleanElections(s), null));
        }
    }

    private MetadataImage pendingImage() {
        return pending == null ? state.working().image() : pending.state().image();
    }

    /** An interval of 0 never passes. */
    private static boolean isPast(long nanos, long intervalMs) {
        return intervalMs > 0 && nanos >= TimeUnit.MILLISECONDS.toNanos(intervalMs);
    }

    private static RetriableException notController(String why) {
        String message = "This node is not the active controller: " + why + ". Ask again.";
        return new RetriableException(message, new NotControllerException(message));
    }

    private static RetriableException timedOut() {
        String message =
                "The metadata log committed nothing before the request's time was over; what was"
                        + " asked for may still be done.";
        return new RetriableException(message, new TimeoutException(message));
    }
}
