// SPDX-License-Identifier: Apache-2.0
package io.oxbow.coordination.runtime;

import io.oxbow.storage.log.AppendOutcome;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.errors.InterruptException;

/**
 * One append that was handed to a lane. Its fields belong to the {@link AppendLine} that it stands
 * in, under whose lock they are changed; the latch lets the runtime's thread wait a little for the
 * lane.
 */
final class HandedAppend {
    final long startOffset;
    final long endOffset;
    final long startNanos;
    private final CountDownLatch answered = new CountDownLatch(1);

    /** Null until the lane has answered. */
    AppendOutcome outcome;

    /** The runtime was told that it will end at {@link #endOffset}. */
    boolean promised;

    /**
     * @param startOffset where the log will end before it, if all before it succeed
     * @param endOffset where the log will end after it
     */
    HandedAppend(long startOffset, long endOffset, long startNanos) {
        this.startOffset = startOffset;
        this.endOffset = endOffset;
        this.startNanos = startNanos;
    }

    void wake() {
        answered.countDown();
    }

    /** Returns when the lane has answered or the time is over. */
    void await(long timeoutMs) {
        try {
            answered.await(timeoutMs, TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            throw new InterruptException(interrupted);
        }
    }
}
