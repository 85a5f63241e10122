// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.log;

import io.oxbow.storage.batch.CheckedBatches;

/**
 * One append on its way to a lane. The bytes belong to the lane until {@link Completion#done} has
 * been called, exactly once, on the lane's thread; the callee must not block.
 *
 * @param batches checked batches; patched in place
 * @param leaderEpoch the epoch of the leader that accepted them, written into the batch headers
 */
public record AppendRequest(
        CheckedBatches batches, AppendOrigin origin, int leaderEpoch, Completion completion) {

    /** Told once, on the owner's thread, when the bytes are no longer needed. */
    @FunctionalInterface
    public interface Completion {
        void done(AppendOutcome outcome);
    }
}
