// SPDX-License-Identifier: Apache-2.0
package io.oxbow.metadata;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.oxbow.base.error.FailureCause;
import io.oxbow.base.error.RetriableException;
import io.oxbow.base.time.Clock;
import io.oxbow.metadata.raft.RecordingScheduler;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.kafka.common.message.AllocateProducerIdsRequestData;
import org.apache.kafka.common.message.AllocateProducerIdsResponseData;
import org.apache.kafka.common.message.BrokerHeartbeatResponseData;
import org.apache.kafka.common.protocol.ApiMessage;
import org.junit.jupiter.api.Test;

class OwnQuestionsTest {
    private final AllocateProducerIdsResponseData answer = new AllocateProducerIdsResponseData();
    private final CompletableFuture<ApiMessage> way = new CompletableFuture<>();
    private final RecordingScheduler timers = new RecordingScheduler();
    private ControllerGateway controller = (context, request) -> way;

    private CompletableFuture<AllocateProducerIdsResponseData> ask() {
        return new OwnQuestions("broker-1", controller, new StillClock(), timers)
                .ask(
                        AllocateProducerIdsRequestData::new,
                        AllocateProducerIdsResponseData.class,
                        5_000);
    }

    @Test
    void shouldBringTheAnswerAndKeepNoTimer() {
        var asked = ask();
        way.complete(answer);
        assertSame(answer, asked.join());
        assertEquals(0, timers.waiting());
    }

    @Test
    void shouldEndAsTheWayEnds() {
        RetriableException failure = new RetriableException("no controller");
        var asked = ask();
        way.completeExceptionally(failure);
        assertSame(failure, failure(asked));
    }

    @Test
    void shouldEndWhenTheWayThrows() {
        IllegalStateException bug = new IllegalStateException("a bug");
        controller =
                (context, request) -> {
                    throw bug;
                };
        assertSame(bug, failure(ask()));
        assertEquals(0, timers.waiting());
    }

    @Test
    void shouldEndWithAnAnswerToAnotherQuestion() {
        var asked = ask();
        way.complete(new BrokerHeartbeatResponseData());
        assertEquals("an answer to another question", failure(asked).getMessage());
    }

    @Test
    void shouldNotWaitForEver() {
        var asked = ask();
        timers.runAll();
        assertEquals("no answer in 10000 ms", failure(asked).getMessage());
        way.complete(answer);
    }

    private static Throwable failure(CompletableFuture<?> asked) {
        return FailureCause.of(assertThrows(CompletionException.class, asked::join));
    }

    private static final class StillClock implements Clock {
        @Override
        public long wallMs() {
            return 0;
        }

        @Override
        public long nanos() {
            return 0;
        }
    }
}
