// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.oxbow.base.error.RetriableException;
import io.oxbow.metadata.OwnQuestions;
import io.oxbow.server.doubles.RecordingGateway;
import io.oxbow.server.doubles.SimTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.message.AllocateProducerIdsRequestData;
import org.apache.kafka.common.message.AllocateProducerIdsResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;

class ProducerIdsTest {
    private final RecordingGateway controller = new RecordingGateway();
    private final SimTime time = new SimTime();
    private final OwnQuestions questions = new OwnQuestions("broker-1", controller, time, time);
    private final ProducerIds ids = new ProducerIds(1, questions, () -> 5);

    @Test
    void shouldGiveTheIdsOfABlockInOrder() {
        CompletableFuture<Long> first = ids.next();
        assertFalse(first.isDone());
        assertEquals(5, controller.unanswered(AllocateProducerIdsRequestData.class).brokerEpoch());
        controller.answer(block(1000, 10));

        assertEquals(1000, first.join());
        assertEquals(1001, ids.next().join());
    }

    @Test
    void shouldServeAllThatWaitForTheFirstBlock() {
        List<CompletableFuture<Long>> waiting = new ArrayList<>();
        for (int i = 0; i < 3; i++) waiting.add(ids.next());
        assertEquals(1, controller.unanswered());
        controller.answer(block(1000, 2));
        assertTrue(waiting.get(1).isDone());
        assertFalse(waiting.get(2).isDone());

        controller.answer(block(5000, 2));
        assertEquals(5000, waiting.get(2).join());
    }

    @Test
    void shouldAskForTheNextBlockBeforeTheLastIdIsGone() {
        CompletableFuture<Long> first = ids.next();
        controller.answer(block(0, 10));
        assertEquals(0, first.join());
        for (int i = 1; i < 7; i++) assertEquals(i, ids.next().join());
        assertEquals(0, controller.unanswered());
        assertEquals(7, ids.next().join());
        assertEquals(1, controller.unanswered());

        controller.answer(block(100, 10));
        assertEquals(8, ids.next().join());
        assertEquals(9, ids.next().join());
        assertEquals(100, ids.next().join());
        assertEquals(0, controller.unanswered());
    }

    @Test
    void shouldRefuseThoseThatWaitWhenTheControllerCannotAnswer() {
        CompletableFuture<Long> first = ids.next();
        controller.fail(new RetriableException("no controller"));
        assertTrue(first.isCompletedExceptionally());

        CompletableFuture<Long> second = ids.next();
        controller.answer(
                new AllocateProducerIdsResponseData()
                        .setErrorCode(Errors.STALE_BROKER_EPOCH.code()));
        assertTrue(second.isCompletedExceptionally());

        CompletableFuture<Long> third = ids.next();
        controller.answer(block(7, 1));
        assertEquals(7, third.join());
    }

    @Test
    void shouldAskAgainAfterAQuestionThatCouldNotBeSent() {
        AtomicLong epoch = new AtomicLong(-1);
        ProducerIds unsure =
                new ProducerIds(
                        1,
                        questions,
                        () -> {
                            if (epoch.get() < 0) throw new IllegalStateException("no epoch yet");
                            return epoch.get();
                        });
        assertTrue(unsure.next().isCompletedExceptionally());

        epoch.set(5);
        CompletableFuture<Long> second = unsure.next();
        controller.answer(block(7, 1));
        assertEquals(7, second.join());
    }

    @Test
    void shouldNotWaitForEverForAnAnswer() {
        CompletableFuture<Long> first = ids.next();
        time.pass(10_000);
        assertTrue(first.isCompletedExceptionally());

        CompletableFuture<Long> second = ids.next();
        assertEquals(2, controller.unanswered());
        controller.answer(block(1000, 10));
        assertFalse(second.isDone(), "the first question is over");
        controller.answer(block(2000, 10));
        assertEquals(2000, second.join());
        assertEquals(0, time.timers());
    }

    @Test
    void shouldRefuseMoreProducersThanMayWait() {
        List<CompletableFuture<Long>> waiting = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) waiting.add(ids.next());
        assertTrue(ids.next().isCompletedExceptionally());
        controller.answer(block(0, 1_000));
        for (int i = 0; i < 1_000; i++) assertEquals(i, waiting.get(i).join());
    }

    private static AllocateProducerIdsResponseData block(long start, int length) {
        return new AllocateProducerIdsResponseData()
                .setProducerIdStart(start)
                .setProducerIdLen(length);
    }
}
