// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.data;

import io.oxbow.base.error.ClientException;
import io.oxbow.base.error.DiskException;
import io.oxbow.base.error.RetriableException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.protocol.Errors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers of several logs as one. */
final class FutureGather {
    private static final Logger log = LoggerFactory.getLogger(FutureGather.class);

    private FutureGather() {}

    /** Runs {@code then} when all are done, on the thread of the last one. */
    static void whenAll(List<? extends CompletableFuture<?>> futures, Runnable then) {
        CompletableFuture<?> _ =
                CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new))
                        .whenComplete((_, _) -> then.run());
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
