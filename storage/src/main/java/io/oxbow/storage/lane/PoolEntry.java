// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.lane;

import io.oxbow.storage.log.PartitionLog;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * What the pool knows of one partition. Steps (recover, obtain, delete, set aside) run one after
 * the other, each beginning when the one before has ended, well or not; so they need not expect
 * each other half-way. Any thread may add a step.
 */
final class PoolEntry {

    /** A folder of this partition that no log was opened from yet. */
    record Copy(LogDirectory home, PartitionLog.OpenSpec spec, long highWatermark) {}

    /** Written by steps, read by {@code find} on any thread; null if there is none (yet). */
    private volatile HostedLog log;

    /** Folders to choose from or that could not be opened; written by steps. */
    private volatile List<Copy> copies = List.of();

    /** Why recovery failed, null if it did not; written by steps. */
    private volatile RuntimeException failure;

    /** The last step. Guarded by {@code this}: steps are added by many threads. */
    private CompletableFuture<?> tail = CompletableFuture.completedFuture(null);

    private boolean retired;

    HostedLog log() {
        return log;
    }

    void log(HostedLog now) {
        log = now;
    }

    List<Copy> copies() {
        return copies;
    }

    void copies(List<Copy> now) {
        copies = now;
    }

    RuntimeException failure() {
        return failure;
    }

    void failure(RuntimeException now) {
        failure = now;
    }

    /** Adds a step; null if the entry has been taken out of the pool meanwhile. */
    synchronized <T> CompletableFuture<T> then(Supplier<CompletableFuture<T>> step) {
        if (retired) return null;
        CompletableFuture<T> next =
                tail.handle((value, problem) -> null).thenCompose(ignored -> step.get());
        tail = next;
        return next;
    }

    /** Whether it holds nothing and nothing is under way; then it takes no more steps. */
    synchronized boolean retire() {
        retired = log == null && copies.isEmpty() && tail.isDone();
        return retired;
    }
}
