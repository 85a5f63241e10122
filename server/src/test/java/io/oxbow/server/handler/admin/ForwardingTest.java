// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.oxbow.base.error.ClientException;
import io.oxbow.base.error.RetriableException;
import io.oxbow.server.doubles.RecordingRequest;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.message.DeleteTopicsRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;

class ForwardingTest {

    @Test
    void shouldAnswerWithTheCodeOfKafkasOwnExceptions() {
        assertEquals(
                Errors.UNSUPPORTED_VERSION,
                answerTo(new UnsupportedVersionException("not at this metadata.version")));
        assertEquals(
                Errors.INVALID_REQUEST,
                answerTo(new ClientException(Errors.INVALID_REQUEST.code(), "no name")));
    }

    @Test
    void shouldHaveClientsTryAgainWhatMayPassAndNothingElse() {
        assertEquals(Errors.REQUEST_TIMED_OUT, answerTo(new RetriableException("no controller")));
        assertEquals(
                Errors.POLICY_VIOLATION,
                answerTo(new RetriableException("too much", new PolicyViolationException(""))));
        assertEquals(Errors.UNKNOWN_SERVER_ERROR, answerTo(new IllegalStateException("a bug")));
    }

    private static Errors answerTo(RuntimeException failure) {
        RecordingRequest request =
                new RecordingRequest(ApiKeys.DELETE_TOPICS, 6, new DeleteTopicsRequestData());
        Forwarding.answer(
                request,
                CompletableFuture.failedFuture(new CompletionException(failure)),
                answer -> answer);
        return request.error();
    }
}
