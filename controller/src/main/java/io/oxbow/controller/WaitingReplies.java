// SPDX-License-Identifier: Apache-2.0
package io.oxbow.controller;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.protocol.ApiMessage;

/**
 * Replies that become true when an offset is committed, in the order of those offsets. Belongs to
 * {@code oxbow-controller}; futures are completed on it, so what hangs on them must not block.
 */
final class WaitingReplies {
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();

    /** One reply. */
    record Waiting(
            long offset,
            long deadlineNanos,
            CompletableFuture<ApiMessage> future,
            ApiMessage reply) {}

    void add(Waiting reply) {
        waiting.addLast(reply);
    }

    /** Everything up to this offset is committed. */
    void committed(long offset) {
        while (!waiting.isEmpty() && waiting.peekFirst().offset() <= offset) {
            Waiting reply = waiting.pollFirst();
            reply.future().complete(reply.reply());
        }
    }

    /** Whoever waited past its deadline is told so; what it asked for may still be committed. */
    void expire(long nowNanos, RuntimeException timedOut) {
        List<Waiting> late = new ArrayList<>();
        waiting.removeIf(reply -> nowNanos - reply.deadlineNanos() > 0 && late.add(reply));
        for (Waiting reply : late) reply.future().completeExceptionally(timedOut);
    }

    void failAll(RuntimeException failure) {
        List<Waiting> failed = List.copyOf(waiting);
        waiting.clear();
        for (Waiting reply : failed) reply.future().completeExceptionally(failure);
    }

    int size() {
        return waiting.size();
    }
}
