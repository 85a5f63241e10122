// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.data;

import io.oxbow.base.error.DiskException;
import io.oxbow.base.error.FailureCause;
import io.oxbow.base.error.RetriableException;
import io.oxbow.server.api.Request;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;

/** Answers of several logs as one. */
final class FutureGather {
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

    /** Kafka's code for what the future of one of the request's logs failed with. */
    static Errors error(Request request, Throwable failure) {
        return switch (FailureCause.of(failure)) {
            case TimeoutException _ -> Errors.REQUEST_TIMED_OUT;
            case DiskException _ -> Errors.KAFKA_STORAGE_ERROR;
            case RetriableException _ -> Errors.KAFKA_STORAGE_ERROR;
            default -> request.errorOf(failure);
        };
    }
}
