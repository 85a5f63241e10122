// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.api;

import io.oxbow.base.error.ClientException;
import io.oxbow.base.error.FailureCause;
import io.oxbow.base.error.LogAllowance;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.protocol.Errors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What becomes of a request when the code that was to answer it throws: it is answered all the
 * same, so that its client does not wait for ever and its connection goes on. What nobody expected
 * is logged, but only so often: a disk that fails, or a client that has found a way, must not fill
 * the log. Any thread.
 */
public final class Answering {
    private static final Logger log = LoggerFactory.getLogger(Answering.class);

    private final LogAllowance lines;

    /**
     * @param lines that failures of ours may cause; not shared with those that clients cause
     */
    public Answering(LogAllowance lines) {
        this.lines = lines;
    }

    /** Answers with the error that {@code thrown} comes to, unless there is an answer already. */
    public void failed(Request request, Throwable thrown) {
        Throwable failure = FailureCause.of(thrown);
        if (request.answered()) {
            lines.line(
                    end ->
                            log.error(
                                    "A handler failed after it had answered {}{}",
                                    request,
                                    end,
                                    failure));
            return;
        }
        // What a bug says of itself is nothing to a client.
        boolean refused = failure instanceof ClientException || failure instanceof ApiException;
        request.fail(error(request, failure), refused ? failure.getMessage() : null);
    }

    /**
     * Kafka's code for what the request, or a part of it, failed with: a {@link ClientException} or
     * one of Kafka's own says it itself, anything else is logged as ours.
     */
    public Errors error(Request request, Throwable thrown) {
        Throwable failure = FailureCause.of(thrown);
        return switch (failure) {
            case ClientException refused -> Errors.forCode(refused.errorCode());
            case ApiException refused -> Errors.forException(refused);
            default -> {
                lines.line(end -> log.error("A request failed: {}{}", request, end, failure));
                yield Errors.UNKNOWN_SERVER_ERROR;
            }
        };
    }
}
