// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.data;

import io.oxbow.base.error.ClientException;
import io.oxbow.base.error.DiskException;
import io.oxbow.base.error.RetriableException;
import io.oxbow.server.api.Request;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers of several logs as one. */
final class FutureGather {
    private static final Logger log = LoggerFactory.getLogger(FutureGather.class);

    private FutureGather() {}

    /**
     * Answers with {@code response} when all of its parts are filled in, on the thread of the last
     * one. A part that threw would be left as if it had gone well: then the whole request fails.
     */
    static void answer(
            Request request, List<? extends CompletableFuture<?>> parts, ApiMessage response) {
        request.answering(
                CompletableFuture.allOf(parts.toArray(CompletableFuture[]::new)),
                (_, failure) -> {
                    if (failure == null) request.reply(response);
                    else request.failed(failure);
                });
    }

    /** Kafka's code for what a log's future failed with. */
    static Errors error(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        return switch (cause) {
            case ClientException refused -> Errors.forCode(refused.errorCode());
            case TimeoutException _ -> Errors.REQUEST_TIMED_OUT;
            case DiskException _ -> Errors.KAFKA_STORAGE_ERROR;
            case RetriableException _ -> Errors.KAFKA_STORAGE_ERROR;
            default -> {
                log.error("A log could not answer", cause);
                yield Errors.UNKNOWN_SERVER_ERROR;
            }
        };
    }
}
