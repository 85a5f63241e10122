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
 * Decisions that were made one over the other and go to raft next, as few appends: each with its
 * records, the state after them and the replies that rest on them. Belongs to {@code
 * oxbow-controller}; made anew after each hand-over.
 *
 * <p>An append is atomic and has a size limit (8 MiB), so a decision is never cut, except one that
 * says that it may be (the changes of a broker with hundreds of thousands of partitions).
 */
final class PendingAppends {
    /** Records after which the next decision begins another append. */
    static final int FULL = 2_000;

    /** Records of the pieces that a divisible decision is cut into. */
    static final int PIECE = 10_000;

    private final int epoch;
    private final List<Append> appends = new ArrayList<>();
    private Append last;
    private long nextOffset;

    /** A reply and who waits for it. */
    record Reply(long deadlineNanos, CompletableFuture<ApiMessage> future, ApiMessage message) {}

    /** What goes to raft at once. */
    static final class Append {
        private final List<ApiMessageAndVersion> records = new ArrayList<>();
        private final List<Reply> replies = new ArrayList<>();
        private RecordReplay state;

        private Append(RecordReplay state) {
            this.state = state;
        }

        List<ApiMessageAndVersion> records() {
            return records;
        }

        List<Reply> replies() {
            return replies;
        }

        /** The state after the records. */
        RecordReplay state() {
            return state;
        }
    }

    /**
     * @param state what the first decision is made over
     * @param firstOffset the offset that its first record will have
     */
    PendingAppends(RecordReplay state, long firstOffset, int epoch) {
        this.epoch = epoch;
        nextOffset = firstOffset;
        last = new Append(state);
        appends.add(last);
    }

    /**
     * Applies a decision.
     *
     * @throws RuntimeException if its records do not fit the state; then nothing has changed,
     *     unless it was cut
     */
    void apply(Decision<?> decision, long nowMs) {
        List<ApiMessageAndVersion> records = decision.records();
        if (records.isEmpty()) return;
        if (!last.records.isEmpty() && last.records.size() + records.size() > FULL) begin();
        int piece = decision.divisible() ? PIECE : records.size();
        for (int from = 0; from < records.size(); from += piece) {
            if (from > 0) begin();
            add(records.subList(from, Math.min(from + piece, records.size())), nowMs);
        }
    }

    private void begin() {
        last = new Append(last.state);
        appends.add(last);
    }

    private void add(List<ApiMessageAndVersion> records, long nowMs) {
        long lastOffset = nextOffset + records.size() - 1;
        last.state =
                last.state.replay(records, new MetadataProvenance(lastOffset, epoch, nowMs, true));
        last.records.addAll(records);
        nextOffset = lastOffset + 1;
    }

    /** The reply rests on everything that was applied so far. */
    void reply(Reply reply) {
        last.replies.add(reply);
    }

    /** The state after all of it. */
    RecordReplay state() {
        return last.state;
    }

    /** The offset that the next record will have. */
    long nextOffset() {
        return nextOffset;
    }

    boolean isFull() {
        return appends.size() > 1 || last.records.size() >= FULL;
    }

    /** In the order in which they must be handed over. */
    List<Append> appends() {
        return appends;
    }
}
