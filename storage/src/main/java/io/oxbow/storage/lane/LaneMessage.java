// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.lane;

import io.oxbow.storage.log.AppendRequest;

/** What a lane's inbox carries. */
sealed interface LaneMessage {

    /** Batches for a log. Staged at once, written at the end of the lane's turn. */
    record Append(HostedLog log, AppendRequest request) implements LaneMessage {}

    /**
     * Anything else. Runs after all that was staged before it has been written.
     *
     * @param action on the lane; must handle its own failures
     * @param otherwise instead, on any thread, if the lane has ended
     */
    record Act(Runnable action, Runnable otherwise) implements LaneMessage {}

    /** The leader's view of the ISR has moved: needs no write before it. */
    record Raise(HostedLog log, long offset, Runnable then) implements LaneMessage {}

    /** Makes the lane look. */
    record Nudge() implements LaneMessage {
        static final Nudge INSTANCE = new Nudge();
    }
}
