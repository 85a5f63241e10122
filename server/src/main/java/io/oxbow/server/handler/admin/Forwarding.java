// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.admin;

import io.oxbow.base.error.FailureCause;
import io.oxbow.base.error.RetriableException;
import io.oxbow.base.time.Clock;
import io.oxbow.metadata.ControllerGateway;
import io.oxbow.metadata.ControllerGateway.RequestContext;
import io.oxbow.server.api.Request;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;

/** How a broker asks the controller on behalf of a client. Any thread; never blocks. */
public final class Forwarding {
    private static final long DEFAULT_TIMEOUT_MS = 30_000;

    private final ControllerGateway controller;
    private final Clock clock;
    private final Supplier<CompletableFuture<Boolean>> visible;

    /**
     * @param visible completes when this broker shows what has been committed by now, or gives up
     */
    public Forwarding(
            ControllerGateway controller,
            Clock clock,
            Supplier<CompletableFuture<Boolean>> visible) {
        this.controller = controller;
        this.clock = clock;
        this.visible = visible;
    }

    /** Answers with what {@code asked} comes to, or with the error that it ends in. */
    static void answer(
            Request request,
            CompletableFuture<ApiMessage> asked,
            Function<ApiMessage, ApiMessage> answer) {
        request.answering(
                asked,
                (message, failure) -> {
                    if (failure == null) request.reply(answer.apply(message));
                    else fail(request, failure);
                });
    }

    /**
     * Asks the controller something that the client's request led to. The answer comes when this
     * broker shows what was changed, so that who asks it next sees it. Never throws: what goes
     * wrong is in the future.
     */
    CompletableFuture<ApiMessage> send(Request request, ApiMessage body) {
        try {
            RequestContext context =
                    new RequestContext(
                            request.principal().toString(),
                            request.header().clientId(),
                            request.header().apiVersion(),
                            clock.nanos() + DEFAULT_TIMEOUT_MS * 1_000_000);
            return controller
                    .send(context, body)
                    .thenCompose(answer -> visible.get().thenApply(seen -> answer));
        } catch (RuntimeException failure) {
            return CompletableFuture.failedFuture(failure);
        }
    }

    /** Answers with the error that a failed question to the controller comes to. */
    private static void fail(Request request, Throwable failure) {
        if (FailureCause.of(failure) instanceof RetriableException later) {
            request.fail(retriableError(later), later.getMessage());
        } else {
            request.failed(failure);
        }
    }

    /** Clients try again after a time-out, whatever they asked for; some changes never fit. */
    private static Errors retriableError(RetriableException later) {
        return later.getCause() instanceof PolicyViolationException
                ? Errors.POLICY_VIOLATION
                : Errors.REQUEST_TIMED_OUT;
    }
}
