// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.oxbow.base.error.ClientException;
import io.oxbow.base.error.RetriableException;
import io.oxbow.server.doubles.RecordingRequest;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.errors.NotLeaderOrFollowerException;
import org.apache.kafka.common.message.ListOffsetsRequestData;
import org.apache.kafka.common.message.ListOffsetsResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;

class FutureGatherTest {
    private final CompletableFuture<Void> one = new CompletableFuture<>();
    private final CompletableFuture<Void> other = new CompletableFuture<>();
    private final ListOffsetsResponseData response = new ListOffsetsResponseData();
    private final RecordingRequest request =
            new RecordingRequest(ApiKeys.LIST_OFFSETS, 7, new ListOffsetsRequestData());

    @Test
    void shouldAnswerWhenAllPartsAreFilledIn() {
        FutureGather.answer(request, List.of(one, other), response);
        one.complete(null);
        assertFalse(request.answered());
        other.complete(null);
        assertEquals(response, request.reply(ListOffsetsResponseData.class));
    }

    @Test
    void shouldKnowKafkasOwnExceptionsAndThoseOfADisk() {
        assertEquals(
                Errors.NOT_LEADER_OR_FOLLOWER,
                error(new NotLeaderOrFollowerException("led elsewhere by now")));
        assertEquals(
                Errors.OFFSET_OUT_OF_RANGE,
                error(new ClientException(Errors.OFFSET_OUT_OF_RANGE.code(), "too far")));
        assertEquals(Errors.KAFKA_STORAGE_ERROR, error(new RetriableException("full")));
        assertEquals(Errors.REQUEST_TIMED_OUT, error(new TimeoutException()));
        assertEquals(Errors.UNKNOWN_SERVER_ERROR, error(new IllegalStateException("a bug")));
    }

    private Errors error(Exception failure) {
        return FutureGather.error(request, new CompletionException(failure));
    }

    @Test
    void shouldNotPassOffAPartThatFailedAsFilledIn() {
        FutureGather.answer(request, List.of(one, other), response);
        one.completeExceptionally(new IllegalStateException("a bug"));
        other.complete(null);
        assertEquals(Errors.UNKNOWN_SERVER_ERROR, request.error());
    }
}
