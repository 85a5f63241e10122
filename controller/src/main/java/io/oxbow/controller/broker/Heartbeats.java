// SPDX-License-Identifier: Apache-2.0
package io.oxbow.controller.broker;

import io.oxbow.controller.decide.BrokerEpochs;
import io.oxbow.controller.decide.Decision;
import io.oxbow.controller.decide.Refusal;
import io.oxbow.controller.decide.Situation;
import io.oxbow.controller.partition.LeaderMoves;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.BrokerHeartbeatRequestData;
import org.apache.kafka.common.message.BrokerHeartbeatResponseData;
import org.apache.kafka.metadata.BrokerRegistration;
import org.apache.kafka.server.common.ApiMessageAndVersion;

/**
 * Decides BrokerHeartbeat: the broker's way between fenced, active, shutting down and gone, and
 * what becomes of directories that it says have failed.
 *
 * <pre>
 *   FENCED ──caught up, wants no fence──▶ ACTIVE ──wants to shut down, leads──▶ SHUTTING_DOWN
 *     ▲ └────────wants to shut down──────┐  │ │ leads nothing                     │ leads nothing,
 *     └──────────wants a fence───────────┼──┘ ▼                                   ▼ others know
 *                                        └──▶ GONE (told to stop, fenced) ◀───────┘
 * </pre>
 */
public final class Heartbeats {
    private final Situation situation;
    private final BrokerRegistration broker;
    private final BrokerHeartbeatRequestData request;
    private final List<ApiMessageAndVersion> records = new ArrayList<>();

    private enum State {
        FENCED,
        ACTIVE,
        SHUTTING_DOWN,
        GONE
    }

    private Heartbeats(
            Situation situation, BrokerRegistration broker, BrokerHeartbeatRequestData request) {
        this.situation = situation;
        this.broker = broker;
        this.request = request;
    }

    /** Decides one heartbeat; {@code liveness} learns from it. */
    public static Decision<BrokerHeartbeatResponseData> decide(
            Situation situation,
            Liveness liveness,
            BrokerHeartbeatRequestData request,
            long nowNanos) {
        Optional<Refusal> stale =
                BrokerEpochs.check(situation.image(), request.brokerId(), request.brokerEpoch());
        if (stale.isPresent()) {
            return Decision.reply(
                    new BrokerHeartbeatResponseData().setErrorCode(stale.get().code()));
        }
        liveness.touch(request.brokerId(), request.currentMetadataOffset(), nowNanos);
        BrokerRegistration broker = situation.image().cluster().broker(request.brokerId());
        return new Heartbeats(situation, broker, request).decide(liveness);
    }

    private Decision<BrokerHeartbeatResponseData> decide(Liveness liveness) {
        State from = state();
        State to = next(from, liveness);
        // An order that replay needs: who may lead is settled before directories are, and each
        // record is decided on the image before this heartbeat.
        if (to == State.ACTIVE && from == State.FENCED) {
            records.add(BrokerRecords.unfence(broker));
            records.addAll(LeaderMoves.brokerBack(situation, broker.id()));
        } else if (to == State.SHUTTING_DOWN && from == State.ACTIVE) {
            records.add(BrokerRecords.shuttingDown(broker));
            records.addAll(LeaderMoves.brokerGone(situation, broker.id()));
        } else if (to != State.ACTIVE && to != State.SHUTTING_DOWN && from != State.FENCED) {
            records.addAll(Fencing.records(situation, broker));
        }
        if (to == State.SHUTTING_DOWN && from == State.ACTIVE) {
            liveness.shuttingDown(broker.id(), situation.nextOffset() + records.size() - 1);
        }
        directories(to == State.ACTIVE && from == State.ACTIVE);
        return Decision.divisible(
                records,
                new BrokerHeartbeatResponseData()
                        .setIsCaughtUp(isCaughtUp())
                        .setIsFenced(to == State.FENCED || to == State.GONE)
                        .setShouldShutDown(to == State.GONE));
    }

    private State state() {
        if (broker.fenced()) return State.FENCED;
        return broker.inControlledShutdown() ? State.SHUTTING_DOWN : State.ACTIVE;
    }

    private State next(State state, Liveness liveness) {
        return switch (state) {
            case FENCED -> {
                if (request.wantShutDown()) yield State.GONE;
                // Whoever said that it shuts down comes back by registering. With a failed
                // directory it first becomes known, then the broker may lead.
                boolean ready =
                        isCaughtUp()
                                && !broker.inControlledShutdown()
                                && broker.directoryIntersection(request.offlineLogDirs()).isEmpty()
                                && knowsItsDirectories();
                yield !request.wantFence() && ready ? State.ACTIVE : State.FENCED;
            }
            case ACTIVE -> {
                if (request.wantFence()) {
                    yield request.wantShutDown() ? State.GONE : State.FENCED;
                }
                if (!request.wantShutDown()) yield State.ACTIVE;
                yield leads() ? State.SHUTTING_DOWN : State.GONE;
            }
            case SHUTTING_DOWN -> {
                boolean done =
                        !leads()
                                && liveness.othersKnowOfShutdown(
                                        situation.image().cluster(), broker.id());
                yield done ? State.GONE : State.SHUTTING_DOWN;
            }
            case GONE -> State.GONE;
        };
    }

    /** Its own registration, whose offset is its epoch, is among what it has applied. */
    private boolean isCaughtUp() {
        return request.currentMetadataOffset() >= broker.epoch();
    }

    private boolean leads() {
        return LeaderMoves.leadsAny(situation.image(), broker.id());
    }

    /**
     * A broker that had no directory ids and now has several may not serve before it has said where
     * each replica is: until then a failure could not be told apart from a healthy directory.
     */
    private boolean knowsItsDirectories() {
        return broker.directories().size() < 2
                || !situation.version().isDirectoryAssignmentSupported()
                || !LeaderMoves.hasMigrating(situation.image(), broker.id());
    }

    /**
     * Directories that failed, and those that take no new replicas.
     *
     * @param stillActive false if the broker's place was settled by what went before
     */
    private void directories(boolean stillActive) {
        List<Uuid> failed = broker.directoryIntersection(request.offlineLogDirs());
        if (!failed.isEmpty()) {
            if (stillActive) {
                records.addAll(
                        LeaderMoves.directoriesGone(situation, broker.id(), new HashSet<>(failed)));
            }
            records.add(
                    BrokerRecords.directories(
                            broker, broker.directoryDifference(request.offlineLogDirs())));
        }
        List<Uuid> cordoned = request.cordonedLogDirs();
        if (cordoned != null
                && situation.version().isCordonedLogDirsSupported()
                && broker.cordonedDirChanged(cordoned)) {
            records.add(BrokerRecords.cordoned(broker, cordoned));
        }
    }
}
