// SPDX-License-Identifier: Apache-2.0
package io.oxbow.metadata.raft;

import io.oxbow.base.error.RetriableException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.raft.NetworkChannel;
import org.apache.kafka.raft.RaftRequest;
import org.apache.kafka.raft.RaftResponse;

/**
 * The way to other voters for a quorum of one: there are none, so every request fails at once and
 * the raft client backs off. A quorum of several nodes gets another channel. Any thread.
 */
final class LoneNodeChannel implements NetworkChannel {
    private final ListenerName listener;
    private final AtomicInteger correlationIds = new AtomicInteger();

    LoneNodeChannel(ListenerName listener) {
        this.listener = listener;
    }

    @Override
    public int newCorrelationId() {
        return correlationIds.getAndIncrement();
    }

    @Override
    public CompletionStage<RaftResponse.Inbound> send(RaftRequest.Outbound request) {
        return CompletableFuture.failedFuture(
                new RetriableException(
                        "This node is a quorum of its own and reaches no other: "
                                + request.destination()));
    }

    @Override
    public ListenerName listenerName() {
        return listener;
    }

    @Override
    public void close() {}
}
