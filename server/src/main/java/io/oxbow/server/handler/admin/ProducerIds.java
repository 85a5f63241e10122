// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.admin;

import io.oxbow.base.error.RetriableException;
import io.oxbow.metadata.OwnQuestions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.apache.kafka.common.message.AllocateProducerIdsRequestData;
import org.apache.kafka.common.message.AllocateProducerIdsResponseData;
import org.apache.kafka.common.protocol.Errors;

/**
 * Producer ids that this broker may give out, from blocks that the controller allots (KIP-730). The
 * next block is asked for while the present one still lasts, so that producers do not wait.
 *
 * <p>Any thread; the lock guards a few numbers and the queue of those who wait for a first block.
 */
public final class ProducerIds {
    /** What is left of a block when the next one is asked for, as a divisor of its length. */
    private static final int PREFETCH_AT = 5;

    private static final long REQUEST_TIMEOUT_MS = 5_000;

    /** Producers that wait for a block; a block has a thousand ids. */
    private static final int MAX_WAITING = 1_000;

    private final int nodeId;
    private final OwnQuestions controller;
    private final LongSupplier brokerEpoch;

    private long next;
    private long end;
    private long followingStart;
    private int followingLength;
    private int blockLength;
    private boolean asking;

    private final Queue<CompletableFuture<Long>> waiting = new ArrayDeque<>();

    /**
     * @param brokerEpoch of the present registration
     */
    public ProducerIds(int nodeId, OwnQuestions controller, LongSupplier brokerEpoch) {
        this.nodeId = nodeId;
        this.controller = controller;
        this.brokerEpoch = brokerEpoch;
    }

    /** A new id, never given before; fails with RetriableException if no block can be had now. */
    CompletableFuture<Long> next() {
        CompletableFuture<Long> answer;
        boolean ask;
        synchronized (this) {
            if (next == end) takeFollowing();
            if (next < end) {
                answer = CompletableFuture.completedFuture(next++);
            } else if (waiting.size() == MAX_WAITING) {
                answer =
                        CompletableFuture.failedFuture(
                                new RetriableException(
                                        MAX_WAITING + " producers wait for an id already"));
            } else {
                answer = new CompletableFuture<>();
                waiting.add(answer);
            }
            ask = !asking && followingLength == 0 && end - next <= blockLength / PREFETCH_AT;
            asking |= ask;
        }
        if (ask) ask();
        return answer;
    }

    private void takeFollowing() {
        if (followingLength == 0) return;
        next = followingStart;
        end = followingStart + followingLength;
        blockLength = followingLength;
        followingLength = 0;
    }

    private void ask() {
        var _ =
                controller
                        .ask(
                                this::request,
                                AllocateProducerIdsResponseData.class,
                                REQUEST_TIMEOUT_MS)
                        .whenComplete(this::answered);
    }

    private AllocateProducerIdsRequestData request() {
        return new AllocateProducerIdsRequestData()
                .setBrokerId(nodeId)
                .setBrokerEpoch(brokerEpoch.getAsLong());
    }

    private void answered(AllocateProducerIdsResponseData answer, Throwable failure) {
        if (failure != null) {
            refuseAll(failure.getMessage());
        } else if (answer.errorCode() != Errors.NONE.code()) {
            refuseAll(Errors.forCode(answer.errorCode()).message());
        } else {
            take(answer);
            serveWaiting();
            boolean more;
            synchronized (this) {
                more = !waiting.isEmpty() && !asking;
                asking |= more;
            }
            if (more) ask();
        }
    }

    private synchronized void take(AllocateProducerIdsResponseData answer) {
        asking = false;
        followingStart = answer.producerIdStart();
        followingLength = answer.producerIdLen();
        if (next == end) takeFollowing();
    }

    private void serveWaiting() {
        while (true) {
            CompletableFuture<Long> one;
            long id;
            synchronized (this) {
                if (next == end || waiting.isEmpty()) return;
                one = waiting.remove();
                id = next++;
            }
            one.complete(id);
        }
    }

    private void refuseAll(String why) {
        List<CompletableFuture<Long>> refused;
        synchronized (this) {
            asking = false;
            refused = new ArrayList<>(waiting);
            waiting.clear();
        }
        RetriableException failure =
                new RetriableException("no producer ids from the controller: " + why);
        refused.forEach(each -> each.completeExceptionally(failure));
    }
}
