// SPDX-License-Identifier: Apache-2.0
package io.oxbow.controller;

import io.oxbow.controller.decide.Decision;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.image.MetadataProvenance;
import org.apache.kafka.server.common.ApiMessageAndVersion;

/**
 * Decisions that were made one over the other and go to raft in one append: the state after them,
 * their records and their replies. Belongs to {@code oxbow-controller}; made anew for each append.
 */
final class PendingAppend {
    private final long firstOffset;
    private final int epoch;
    private final List<ApiMessageAndVersion> records = new ArrayList<>();
    private final List<Reply> replies = new ArrayList<>();
    private RecordReplay state;

    /** A reply and who waits for it. */
    record Reply(long deadlineNanos, CompletableFuture<ApiMessage> future, ApiMessage message) {}

    /**
     * @param state what the first decision is made over
     * @param firstOffset the offset that its first record will have
     */
    PendingAppend(RecordReplay state, long firstOffset, int epoch) {
        this.state = state;
        this.firstOffset = firstOffset;
        this.epoch = epoch;
    }

    /**
     * Applies a decision.
     *
     * @throws RuntimeException if its records do not fit the state; then nothing has changed
     */
    void apply(Decision<?> decision, long nowMs) {
        if (decision.records().isEmpty()) return;
        long last = nextOffset() + decision.records().size() - 1;
        state = state.replay(decision.records(), new MetadataProvenance(last, epoch, nowMs, true));
        records.addAll(decision.records());
    }

    void reply(Reply reply) {
        replies.add(reply);
    }

    RecordReplay state() {
        return state;
    }

    /** The offset that the next record will have. */
    long nextOffset() {
        return firstOffset + records.size();
    }

    List<ApiMessageAndVersion> records() {
        return records;
    }

    List<Reply> replies() {
        return replies;
    }
}
