// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.lane;

import io.oxbow.base.error.BugException;
import io.oxbow.base.thread.Threads;
import io.oxbow.storage.log.FlushPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The syncs of several logs at once: the disk is asked for all of them together, so that a file
 * system commits them in one go and the lane waits for the slowest, not for the sum. The lane does
 * the first one itself and waits for the others, which are tasks of their own. Lane only.
 */
final class GroupSync {
    /** Most syncs that one disk is asked for at once. */
    private static final int AT_ONCE = 16;

    private final String name;
    private final Threads threads;

    GroupSync(String name, Threads threads) {
        this.name = name;
        this.threads = threads;
    }

    /**
     * Syncs all; blocks.
     *
     * @return for each plan what went wrong, null if it is durable
     * @throws BugException if one met an error: nobody knows what is durable then
     */
    List<RuntimeException> sync(List<FlushPlan> plans) {
        List<RuntimeException> failures = new ArrayList<>(plans.size());
        for (int from = 0; from < plans.size(); from += AT_ONCE) {
            some(plans.subList(from, Math.min(from + AT_ONCE, plans.size())), failures);
        }
        return failures;
    }

    private void some(List<FlushPlan> plans, List<RuntimeException> failures) {
        List<CompletableFuture<Throwable>> others = new ArrayList<>(plans.size());
        for (int i = 1; i < plans.size(); i++) {
            FlushPlan plan = plans.get(i);
            CompletableFuture<Throwable> end = new CompletableFuture<>();
            threads.startTask(name, () -> end.complete(failureOf(plan)));
            others.add(end);
        }
        Throwable first = failureOf(plans.getFirst());
        // All ends are awaited before any conclusion: a plan must not run on beside the lane.
        List<Throwable> ends = new ArrayList<>(plans.size());
        ends.add(first);
        for (CompletableFuture<Throwable> other : others) ends.add(other.join());
        for (Throwable end : ends) failures.add(conclude(end));
    }

    private static Throwable failureOf(FlushPlan plan) {
        try {
            plan.sync();
            return null;
        } catch (RuntimeException | Error failure) {
            return failure;
        }
    }

    private static RuntimeException conclude(Throwable end) {
        return switch (end) {
            case null -> null;
            case RuntimeException failure -> failure;
            default -> throw new BugException("A sync met an error", end);
        };
    }
}
