// SPDX-License-Identifier: Apache-2.0
package io.oxbow.coordination.runtime;

import io.oxbow.base.time.Clock;
import io.oxbow.storage.log.AppendOutcome;
import io.oxbow.storage.log.AppendRequest;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.errors.InterruptException;

/**
 * One append and the bounded wait for it, on a coordinator's event-processor thread. The future
 * outlives the wait: the lane completes it whenever it gets there.
 */
final class AppendWait {
    private final Clock clock;
    private final long deadlineNanos;
    private final CompletableFuture<AppendOutcome> outcome = new CompletableFuture<>();

    AppendWait(Clock clock, long timeoutMs) {
        this.clock = clock;
        this.deadlineNanos = clock.nanos() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
    }

    /** To be named as the append's completion. */
    AppendRequest.Completion completion() {
        return outcome::complete;
    }

    /** Done when the lane is done. */
    CompletableFuture<AppendOutcome> outcome() {
        return outcome;
    }

    /**
     * Hands the append to the lane, waiting for room if need be; false if there was none in time.
     */
    boolean enqueue(LeaderLog log, AppendRequest request) {
        while (!log.append(request)) {
            CountDownLatch room = new CountDownLatch(1);
            log.whenRoom(room::countDown);
            try {
                if (!room.await(remainingNanos(), TimeUnit.NANOSECONDS)) return false;
            } catch (InterruptedException interrupted) {
                throw new InterruptException(interrupted);
            }
        }
        return true;
    }

    /** What became of the append, or empty if the lane was not done in time. */
    Optional<AppendOutcome> await() {
        try {
            return Optional.of(outcome.get(remainingNanos(), TimeUnit.NANOSECONDS));
        } catch (TimeoutException late) {
            return Optional.empty();
        } catch (InterruptedException interrupted) {
            throw new InterruptException(interrupted);
        } catch (ExecutionException impossible) {
            throw new IllegalStateException("a lane answers with an outcome", impossible);
        }
    }

    private long remainingNanos() {
        return Math.max(0, deadlineNanos - clock.nanos());
    }
}
