// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.oxbow.base.error.ClientException;
import io.oxbow.server.doubles.RecordingRequest;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.message.HeartbeatRequestData;
import org.apache.kafka.common.message.HeartbeatResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class AnsweringTest {
    private final RecordingRequest request =
            new RecordingRequest(ApiKeys.HEARTBEAT, 4, new HeartbeatRequestData());
    private final HeartbeatResponseData reply = new HeartbeatResponseData();

    @Test
    void shouldAnswerWhenTheResultIsThere() {
        CompletableFuture<String> result = new CompletableFuture<>();
        request.answering(result, (_, _) -> request.reply(reply));
        assertFalse(request.answered());

        result.complete("done");
        assertEquals(reply, request.reply(HeartbeatResponseData.class));
    }

    @Test
    void shouldAnswerWhenWhatWasToAnswerThrows() {
        CompletableFuture<Object> result = new CompletableFuture<>();
        request.answering(result, (value, _) -> request.reply((HeartbeatResponseData) value));
        result.complete("not a heartbeat's answer");
        assertEquals(Errors.UNKNOWN_SERVER_ERROR, request.error());
    }

    @Test
    void shouldAnswerWhenAClassIsMissing() {
        request.answering(
                () -> {
                    throw new NoClassDefFoundError("of a plug-in");
                });
        assertEquals(Errors.UNKNOWN_SERVER_ERROR, request.error());
    }

    @Test
    void shouldTellAClientItsOwnMistake() {
        ClientException mistake = new ClientException(Errors.INVALID_GROUP_ID.code(), "no id");
        request.failed(new CompletionException(mistake));
        assertEquals(Errors.INVALID_GROUP_ID, request.error());
    }

    @Test
    void shouldAnswerWithTheCodeOfKafkasOwnExceptions() {
        request.failed(new UnsupportedVersionException("no such entity type"));
        assertEquals(Errors.UNSUPPORTED_VERSION, request.error());
    }

    @Test
    void shouldNotLetFailuresFillTheLog() {
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        Logger logger = (Logger) LoggerFactory.getLogger(Answering.class);
        lines.start();
        logger.addAppender(lines);
        try {
            for (int i = 0; i < 1_000; i++) {
                assertEquals(
                        Errors.UNKNOWN_SERVER_ERROR,
                        request.errorOf(new IllegalStateException("a sick disk")));
            }
        } finally {
            logger.detachAppender(lines);
        }
        assertEquals(50, lines.list.size());
    }

    @Test
    void shouldKeepTheFirstAnswer() {
        request.answering(
                () -> {
                    request.reply(reply);
                    throw new IllegalStateException("afterwards");
                });
        assertEquals(reply, request.reply(HeartbeatResponseData.class));
    }
}
