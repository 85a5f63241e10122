// SPDX-License-Identifier: Apache-2.0
package io.oxbow.metadata;

import io.oxbow.base.error.RetriableException;
import io.oxbow.base.time.Clock;
import io.oxbow.base.time.Scheduler;
import io.oxbow.metadata.ControllerGateway.RequestContext;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.common.protocol.ApiMessage;

/**
 * What a part of this node asks the active controller on the node's own behalf. Every question has
 * an end, so that who has one under way at a time can rely on being called: an answer of the right
 * kind, or a failure, whatever the way to the controller does. Any thread; never blocks.
 */
public final class OwnQuestions {
    private final String clientId;
    private final ControllerGateway controller;
    private final Clock clock;
    private final Scheduler scheduler;

    /**
     * @param clientId as the controller's log shows it, e.g. "broker-1"
     */
    public OwnQuestions(
            String clientId, ControllerGateway controller, Clock clock, Scheduler scheduler) {
        this.clientId = clientId;
        this.controller = controller;
        this.clock = clock;
        this.scheduler = scheduler;
    }

    /**
     * Asks. Never throws.
     *
     * @param question makes the request's data; if it throws, that is how the question ends
     * @param answer the class of the response's data
     * @param timeoutMs from when on an answer is of no use; after twice as long the way to the
     *     controller has failed to say so, and the question ends without it
     * @return fails with {@link RetriableException} if no answer can be had now
     */
    public <T extends ApiMessage> CompletableFuture<T> ask(
            Supplier<? extends ApiMessage> question, Class<T> answer, long timeoutMs) {
        CompletableFuture<T> asked = new CompletableFuture<>();
        Scheduler.Timer timer =
                scheduler.after(
                        2 * timeoutMs,
                        () ->
                                asked.completeExceptionally(
                                        new RetriableException(
                                                "no answer in " + 2 * timeoutMs + " ms")));
        var _ =
                send(question, timeoutMs)
                        .whenComplete(
                                (message, failure) -> {
                                    timer.cancel();
                                    if (failure != null) {
                                        asked.completeExceptionally(failure);
                                    } else if (answer.isInstance(message)) {
                                        asked.complete(answer.cast(message));
                                    } else {
                                        asked.completeExceptionally(
                                                new RetriableException(
                                                        "an answer to another question"));
                                    }
                                });
        return asked;
    }

    private CompletableFuture<ApiMessage> send(
            Supplier<? extends ApiMessage> question, long timeoutMs) {
        try {
            ApiMessage request = question.get();
            long deadline = clock.nanos() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
            RequestContext context =
                    new RequestContext(
                            "User:ANONYMOUS",
                            clientId,
                            request.highestSupportedVersion(),
                            deadline);
            return controller.send(context, request);
        } catch (RuntimeException failure) {
            return CompletableFuture.failedFuture(failure);
        }
    }
}
