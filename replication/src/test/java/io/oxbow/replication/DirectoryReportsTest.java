// SPDX-License-Identifier: Apache-2.0
package io.oxbow.replication;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.oxbow.base.error.RetriableException;
import io.oxbow.base.time.Clock;
import io.oxbow.base.time.Scheduler;
import io.oxbow.metadata.ControllerGateway;
import io.oxbow.metadata.OwnQuestions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.AssignReplicasToDirsRequestData;
import org.apache.kafka.common.message.AssignReplicasToDirsResponseData;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;

class DirectoryReportsTest {
    private static final Uuid TOPIC = new Uuid(7, 7);
    private static final Uuid DIRECTORY = new Uuid(300, 1);

    private final SimScheduler scheduler = new SimScheduler();
    private final RecordingGateway controller = new RecordingGateway();
    private long epoch = 5;
    private final DirectoryReports reports =
            new DirectoryReports(
                    1,
                    new OwnQuestions("broker-1", controller, new StillClock(), noTimers()),
                    () -> epoch,
                    scheduler);

    @Test
    void shouldSendReplicasOfOneImageTogether() {
        for (int i = 0; i < 3; i++) reports.report(TOPIC, i, DIRECTORY);
        scheduler.runAll();

        AssignReplicasToDirsRequestData request = controller.requests.getFirst();
        assertEquals(5, request.brokerEpoch());
        assertEquals(3, replicas(request));

        controller.answer(accepted(request));
        assertEquals(0, reports.pending());
    }

    @Test
    void neverSendsMoreThanTheLimitInOneRequest() {
        for (int i = 0; i < 2_251; i++) reports.report(TOPIC, i, DIRECTORY);
        scheduler.runAll();
        assertEquals(2_250, replicas(controller.requests.getFirst()));

        controller.answer(accepted(controller.requests.getFirst()));
        scheduler.runAll();
        assertEquals(1, replicas(controller.requests.get(1)));
    }

    @Test
    void shouldTryAgainWithGrowingDelays() {
        reports.report(TOPIC, 0, DIRECTORY);
        List<Long> delays = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            scheduler.runAll();
            controller.fail(new RetriableException("no controller"));
            delays.add(scheduler.nextDelayMs());
        }
        assertEquals(
                List.of(50L, 100L, 200L, 400L, 800L, 1600L, 3200L, 6400L, 10000L, 10000L), delays);
        assertEquals(1, reports.pending());
    }

    @Test
    void shouldRepeatAReplicaThatWasRefused() {
        reports.report(TOPIC, 0, DIRECTORY);
        scheduler.runAll();
        controller.answer(answer(controller.requests.getFirst(), Errors.INVALID_REQUEST));

        scheduler.runAll();
        assertEquals(1, replicas(controller.requests.get(1)));
    }

    @Test
    void shouldDropAReplicaThatTheControllerDoesNotKnow() {
        reports.report(TOPIC, 0, DIRECTORY);
        scheduler.runAll();
        controller.answer(answer(controller.requests.getFirst(), Errors.UNKNOWN_TOPIC_ID));

        assertEquals(0, reports.pending());
    }

    @Test
    void shouldWaitForRegistration() {
        epoch = -1;
        reports.report(TOPIC, 0, DIRECTORY);
        scheduler.runOne();
        assertEquals(0, controller.requests.size());

        epoch = 9;
        scheduler.runAll();
        assertEquals(9, controller.requests.getFirst().brokerEpoch());
    }

    @Test
    void shouldForgetAReplicaThatHasLeft() {
        reports.report(TOPIC, 0, DIRECTORY);
        reports.settled(TOPIC, 0);
        scheduler.runAll();

        assertEquals(0, controller.requests.size());
        assertEquals(0, reports.pending());
    }

    @Test
    void shouldKeepANewerReportWhenTheOlderIsAccepted() {
        reports.report(TOPIC, 0, DIRECTORY);
        scheduler.runAll();
        reports.report(TOPIC, 0, new Uuid(300, 2));
        controller.answer(accepted(controller.requests.getFirst()));

        assertEquals(1, reports.pending());
    }

    @Test
    void shouldTryAgainWhenTheWayToTheControllerThrows() {
        reports.report(TOPIC, 0, DIRECTORY);
        controller.failure = new IllegalStateException("a bug");
        scheduler.runOne();
        assertEquals(50, scheduler.nextDelayMs());

        controller.failure = null;
        scheduler.runAll();
        controller.answer(accepted(controller.requests.getFirst()));
        assertEquals(0, reports.pending());
    }

    /** Questions end by the test's hand. */
    private static SimScheduler noTimers() {
        return new SimScheduler();
    }

    private static int replicas(AssignReplicasToDirsRequestData request) {
        return request.directories().stream()
                .flatMap(directory -> directory.topics().stream())
                .mapToInt(topic -> topic.partitions().size())
                .sum();
    }

    private static AssignReplicasToDirsResponseData accepted(
            AssignReplicasToDirsRequestData request) {
        return answer(request, Errors.NONE);
    }

    private static AssignReplicasToDirsResponseData answer(
            AssignReplicasToDirsRequestData request, Errors each) {
        AssignReplicasToDirsResponseData response = new AssignReplicasToDirsResponseData();
        for (var directory : request.directories()) {
            var copy = new AssignReplicasToDirsResponseData.DirectoryData().setId(directory.id());
            response.directories().add(copy);
            for (var topic : directory.topics()) {
                var topicCopy =
                        new AssignReplicasToDirsResponseData.TopicData()
                                .setTopicId(topic.topicId());
                copy.topics().add(topicCopy);
                for (var partition : topic.partitions()) {
                    topicCopy
                            .partitions()
                            .add(
                                    new AssignReplicasToDirsResponseData.PartitionData()
                                            .setPartitionIndex(partition.partitionIndex())
                                            .setErrorCode(each.code()));
                }
            }
        }
        return response;
    }

    private static final class RecordingGateway implements ControllerGateway {
        RuntimeException failure;
        final List<AssignReplicasToDirsRequestData> requests = new ArrayList<>();
        private CompletableFuture<ApiMessage> open;

        @Override
        public CompletableFuture<ApiMessage> send(RequestContext context, ApiMessage request) {
            if (failure != null) throw failure;
            requests.add((AssignReplicasToDirsRequestData) request);
            open = new CompletableFuture<>();
            return open;
        }

        void answer(ApiMessage response) {
            open.complete(response);
        }

        void fail(Throwable failure) {
            open.completeExceptionally(failure);
        }
    }

    /** Actions run when the test says so. */
    private static final class SimScheduler implements Scheduler {
        private record Entry(long delayMs, Runnable action) {}

        private final Queue<Entry> entries = new ArrayDeque<>();

        @Override
        public Timer after(long delayMs, Runnable action) {
            Entry entry = new Entry(delayMs, action);
            entries.add(entry);
            return () -> entries.remove(entry);
        }

        @Override
        public Timer every(long periodMs, Runnable action) {
            throw new AssertionError("nothing here is periodic");
        }

        void runOne() {
            entries.remove().action().run();
        }

        void runAll() {
            while (!entries.isEmpty()) runOne();
        }

        long nextDelayMs() {
            return entries.element().delayMs();
        }
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
