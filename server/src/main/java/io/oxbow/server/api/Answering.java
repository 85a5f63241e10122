// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.api;

import io.oxbow.base.error.ClientException;
import java.util.concurrent.CompletionException;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.protocol.Errors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What becomes of a request when the code that was to answer it throws: it is answered all the
 * same, so that its client does not wait for ever and its connection goes on. Any thread.
 */
final class Answering {
    private static final Logger log = LoggerFactory.getLogger(Answering.class);

    private Answering() {}

    static void run(Request request, Runnable action) {
        try {
            action.run();
        } catch (RuntimeException | Error failure) {
            failed(request, failure);
        }
    }

    /**
     * A {@link ClientException} or one of Kafka's own is the client's mistake; anything else is
     * logged as ours.
     */
    static void failed(Request request, Throwable thrown) {
        boolean wrapped = thrown instanceof CompletionException && thrown.getCause() != null;
        Throwable failure = wrapped ? thrown.getCause() : thrown;
        if (request.answered()) {
            log.error("A handler failed after it had answered {}", request, failure);
        } else if (failure instanceof ClientException refused) {
            fail(request, Errors.forCode(refused.errorCode()), refused.getMessage());
        } else if (failure instanceof ApiException refused) {
            fail(request, Errors.forException(refused), refused.getMessage());
        } else {
            log.error("A request failed: {}", request, failure);
            fail(request, Errors.UNKNOWN_SERVER_ERROR, null);
        }
    }

    private static void fail(Request request, Errors error, String message) {
        try {
            request.fail(error, message);
        } catch (RuntimeException failure) {
            log.error("Disconnecting: no answer could be made for {}", request, failure);
            if (!request.answered()) request.disconnect();
        }
    }
}
