// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.lane;

import io.oxbow.base.error.BugException;
import io.oxbow.storage.lane.FaultPolicy.Doing;
import io.oxbow.storage.log.FlushPlan;
import io.oxbow.storage.log.PartitionLog;
import java.util.ArrayDeque;
import java.util.Collection;

/**
 * Makes durable what the configuration leaves to time, so that recovery after a crash reads little:
 * segments that were rolled, active ones with much that is not synced, and which topic the folders
 * of new logs belong to. One log after the other; the lane only begins and ends each flush, the
 * waiting is done on one of its readers. Lane only.
 */
final class BackgroundFlush {
    private final Lane lane;
    private final LaneLogs logs;
    private final LogDirectory home;
    private final ArrayDeque<HostedLog> left = new ArrayDeque<>();
    private boolean running;

    BackgroundFlush(Lane lane, LaneLogs logs, LogDirectory home) {
        this.lane = lane;
        this.logs = logs;
        this.home = home;
    }

    /** Begins a pass over {@code all}; does nothing while one is under way. */
    void begin(Collection<HostedLog> all) {
        if (running) return;
        running = true;
        for (HostedLog each : all) {
            if (usable(each) && each.partitionLog().flushWorthwhile()) left.add(each);
        }
        // Behind, as they may be thousands after many logs were made.
        for (HostedLog each : all) {
            if (usable(each) && each.partitionLog().topicIdUnsynced()) left.add(each);
        }
        next();
    }

    private static boolean usable(HostedLog each) {
        return each.unavailableBecause() == null;
    }

    private void next() {
        while (!left.isEmpty() && home.serves()) {
            HostedLog target = left.poll();
            if (!usable(target)) continue;
            try {
                FlushPlan plan = plan(target.partitionLog());
                if (plan == null) continue;
                lane.readers().run(() -> sync(target, plan));
                return;
            } catch (RuntimeException failure) {
                logs.fault(target, failure, Doing.WRITING, "sync");
            }
        }
        left.clear();
        running = false;
    }

    /** Null if there is nothing to do any more. */
    private static FlushPlan plan(PartitionLog target) {
        if (target.flushWorthwhile()) return target.beginFlush();
        return target.topicIdUnsynced() ? target.beginSmallFileFlush() : null;
    }

    /** On a reader. */
    private void sync(HostedLog target, FlushPlan plan) {
        RuntimeException failure = null;
        try {
            plan.sync();
        } catch (RuntimeException caught) {
            failure = caught;
        } catch (Error caught) {
            // Nobody knows what is durable now: it ends the lane, as an error of its own would.
            lane.post(
                    () -> {
                        throw new BugException("Syncing " + target + " failed", caught);
                    });
            return;
        }
        RuntimeException outcome = failure;
        lane.post(() -> synced(target, plan, outcome));
    }

    private void synced(HostedLog target, FlushPlan plan, RuntimeException failure) {
        if (usable(target)) {
            if (failure == null) target.partitionLog().finishFlush(plan);
            else logs.fault(target, failure, Doing.WRITING, "sync");
        }
        next();
    }
}
