// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.lane;

import io.oxbow.base.error.DiskException;
import io.oxbow.base.error.DiskException.Kind;
import io.oxbow.storage.lane.FaultPolicy.Doing;
import io.oxbow.storage.log.AppendOrigin;
import io.oxbow.storage.log.AppendOutcome;
import io.oxbow.storage.log.AppendOutcome.Appended;
import io.oxbow.storage.log.AppendOutcome.Reason;
import io.oxbow.storage.log.AppendOutcome.Refused;
import io.oxbow.storage.log.AppendRequest;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The appends of one lane's turn. {@link #add} stages; {@link #commit} writes each touched log
 * once, syncs those that ask for it (group commit), raises high watermarks, and only then answers
 * everybody, in the order of arrival, and tells the watchers. Lane only; reused for each turn.
 *
 * <p>If a log's write fails, all its appends of the turn are refused, also duplicates: what they
 * repeat may have been among what failed. If the directory fails, all appends of the turn are.
 */
final class AppendRound {
    private static final Logger log = LoggerFactory.getLogger(AppendRound.class);

    private final LaneLogs logs;
    private final LogDirectory home;
    private final LaneMeter meter;

    // The turn's appends, in order; three lists in step.
    private final List<HostedLog> targets = new ArrayList<>();
    private final List<AppendRequest> requests = new ArrayList<>();
    private final List<AppendOutcome> outcomes = new ArrayList<>();

    private final List<HostedLog> touched = new ArrayList<>();
    private final List<HostedLog> due = new ArrayList<>();
    private final List<HostedLog> moved = new ArrayList<>();
    private final List<Runnable> raised = new ArrayList<>();

    /** How many of the appends have been answered; each is answered once, whatever happens. */
    private int answered;

    private int appendedCount;
    private long appendedBytes;

    AppendRound(LaneLogs logs, LogDirectory home, LaneMeter meter) {
        this.logs = logs;
        this.home = home;
        this.meter = meter;
    }

    void add(HostedLog target, AppendRequest request) {
        AppendOutcome outcome = stage(target, request);
        targets.add(target);
        requests.add(request);
        outcomes.add(outcome);
    }

    /** Raises a high watermark; its watchers are told with the rest. */
    void raise(LaneMessage.Raise raise) {
        HostedLog target = raise.log();
        if (target.unavailableBecause() == null) {
            try {
                target.partitionLog().raiseHighWatermark(raise.offset());
                noteMovement(target);
            } catch (RuntimeException failure) {
                logs.fault(target, failure, Doing.WRITING, "raise the high watermark of");
            }
        }
        raised.add(raise.then());
    }

    /** Its watchers are told at the end of the turn if there is something new to see. */
    void noteMovement(HostedLog target) {
        LogOnLane state = target.onLane();
        if (state.takeMovement(target.view()) && !state.moved) {
            state.moved = true;
            moved.add(target);
        }
    }

    void commit() {
        if (!touched.isEmpty()) {
            for (HostedLog target : touched) write(target);
            syncDue();
            for (HostedLog target : touched) publish(target);
            meter.appended(appendedCount, appendedBytes);
            logs.wrote(appendedBytes);
        }
        answer();
    }

    /** After a failure that nobody expected: whoever is not answered yet is refused. */
    void abort() {
        Refused bug = new Refused(Reason.DIRECTORY_OFFLINE, "An internal error; see the log");
        outcomes.replaceAll(outcome -> bug);
        answer();
    }

    private AppendOutcome stage(HostedLog target, AppendRequest request) {
        LogOnLane state = target.onLane();
        AppendOrigin origin = request.origin();
        String why = target.unavailableBecause();
        if (why != null) return new Refused(target.refusalReason(), why);
        if (origin == AppendOrigin.CLIENT && home.full()) return logs.fullRefusal();
        if (origin != AppendOrigin.REPLICATION && request.leaderEpoch() < state.leaderEpoch) {
            return new Refused(
                    Reason.NOT_LEADER,
                    "Accepted in leader epoch "
                            + request.leaderEpoch()
                            + ", which epoch "
                            + state.leaderEpoch
                            + " has replaced");
        }
        int bytes = request.batches().sizeBytes();
        try {
            AppendOutcome outcome =
                    target.partitionLog().stage(request.batches(), origin, request.leaderEpoch());
            if (outcome instanceof Appended) {
                appendedCount++;
                appendedBytes += bytes;
                if (!state.touched) {
                    state.touched = true;
                    touched.add(target);
                }
            }
            return outcome;
        } catch (RuntimeException failure) {
            return fault(target, failure, "stage an append to");
        }
    }

    private void write(HostedLog target) {
        if (target.unavailableBecause() != null) return;
        try {
            meter.write(target.partitionLog()::writeStaged);
        } catch (RuntimeException failure) {
            refuse(target, failure, "append to");
        }
    }

    private void syncDue() {
        for (HostedLog target : touched) {
            if (target.unavailableBecause() != null || target.onLane().refusal != null) continue;
            if (target.partitionLog().syncDue()) due.add(target);
        }
        if (due.isEmpty()) return;
        logs.sync(due, (target, failure) -> refuse(target, failure, "sync"));
        due.clear();
    }

    private void refuse(HostedLog target, RuntimeException failure, String what) {
        target.onLane().refusal = fault(target, failure, what);
    }

    private void publish(HostedLog target) {
        if (target.unavailableBecause() != null || target.onLane().refusal != null) return;
        if (target.onLane().soleReplica) {
            target.partitionLog().raiseHighWatermark(target.view().endOffset());
        }
        noteMovement(target);
    }

    private Refused fault(HostedLog target, RuntimeException failure, String what) {
        logs.fault(target, failure, Doing.WRITING, what);
        if (target.unavailableBecause() != null) {
            return new Refused(Reason.DIRECTORY_OFFLINE, target.unavailableBecause());
        }
        if (failure instanceof DiskException disk && disk.kind() == Kind.TOO_MANY_OPEN) {
            return new Refused(Reason.TOO_MANY_OPEN, disk.getMessage());
        }
        return logs.fullRefusal();
    }

    private void answer() {
        while (answered < requests.size()) {
            int i = answered++;
            AppendOutcome outcome = finalOutcome(targets.get(i), outcomes.get(i));
            try {
                requests.get(i).completion().done(outcome);
            } catch (RuntimeException failure) {
                log.error("The answer to an append to {} failed", targets.get(i), failure);
            }
        }
        for (HostedLog target : touched) {
            target.onLane().touched = false;
            target.onLane().refusal = null;
        }
        targets.clear();
        requests.clear();
        outcomes.clear();
        touched.clear();
        answered = 0;
        appendedCount = 0;
        appendedBytes = 0;
        raised.forEach(Runnable::run);
        raised.clear();
        for (HostedLog target : moved) {
            target.onLane().moved = false;
            target.tellWatchers();
        }
        moved.clear();
    }

    private static AppendOutcome finalOutcome(HostedLog target, AppendOutcome outcome) {
        if (outcome instanceof Refused) return outcome;
        if (target.onLane().refusal != null) return target.onLane().refusal;
        String why = target.unavailableBecause();
        return why == null ? outcome : new Refused(target.refusalReason(), why);
    }
}
