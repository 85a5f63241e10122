// SPDX-License-Identifier: Apache-2.0
package io.oxbow.controller;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.oxbow.base.error.RetriableException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.NotControllerException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.message.AllocateProducerIdsRequestData;
import org.apache.kafka.common.message.AllocateProducerIdsResponseData;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopic;
import org.apache.kafka.common.metadata.BeginTransactionRecord;
import org.apache.kafka.common.metadata.FeatureLevelRecord;
import org.apache.kafka.common.metadata.MetadataRecordType;
import org.apache.kafka.common.metadata.TopicRecord;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.image.writer.ImageWriterOptions;
import org.apache.kafka.image.writer.RecordListWriter;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.apache.kafka.server.common.MetadataVersion;
import org.apache.kafka.server.common.OffsetAndEpoch;
import org.junit.jupiter.api.Test;

class ControllerLoopTest {

    private static ApiMessage topic(String name) {
        return SimController.createRequest(
                new CreatableTopic()
                        .setName(name)
                        .setNumPartitions(1)
                        .setReplicationFactor((short) 1));
    }

    private static List<MetadataRecordType> types(List<ApiMessageAndVersion> records) {
        return records.stream()
                .map(record -> MetadataRecordType.fromId(record.message().apiKey()))
                .toList();
    }

    @Test
    void shouldWriteBootstrapRecordsAsOneTransactionIntoAnEmptyLog() {
        SimController controller = SimController.withBrokers();
        List<MetadataRecordType> types = types(controller.records());
        assertEquals(MetadataRecordType.BEGIN_TRANSACTION_RECORD, types.getFirst());
        assertEquals(MetadataRecordType.END_TRANSACTION_RECORD, types.getLast());
        assertEquals(
                MetadataRecordType.CONFIG_RECORD,
                types.get(types.size() - 2),
                "the cluster's min.insync.replicas, which eligible leaders are judged by");
        assertEquals(
                MetadataVersion.latestProduction(),
                controller.image().features().metadataVersionOrThrow());
    }

    @Test
    void shouldWriteBootstrapRecordsWithoutTransactionBelowItsVersion() {
        SimController controller = new SimController(MetadataVersion.IBP_3_4_IV0, 0);
        controller.raft.becomeLeader(1);
        controller.settle();
        assertEquals(List.of(MetadataRecordType.FEATURE_LEVEL_RECORD), types(controller.records()));
    }

    @Test
    void shouldBootstrapOnceOnly() {
        SimController controller = SimController.withBrokers();
        int records = controller.records().size();
        controller.raft.loseLeadership(2, 2);
        controller.raft.becomeLeader(3);
        controller.settle();
        assertTrue(controller.isActive());
        assertEquals(records, controller.records().size());
    }

    @Test
    void shouldReplyOnlyWhenCommitted() {
        SimController controller = SimController.withBrokers(1);
        CompletableFuture<ApiMessage> reply = controller.ask(topic("t"));
        controller.run();
        assertFalse(reply.isDone());
        assertNull(controller.image().topics().getTopic("t"));
        assertNotNull(controller.working().topics().getTopic("t"));
        controller.settle();
        assertTrue(reply.isDone());
        assertNotNull(controller.image().topics().getTopic("t"));
    }

    @Test
    void shouldDecideOverWhatIsNotCommittedYetAndReplyInOrder() {
        SimController controller = SimController.withBrokers(1);
        List<String> order = new ArrayList<>();
        CompletableFuture<ApiMessage> first = controller.ask(topic("a"));
        controller.run();
        CompletableFuture<ApiMessage> second = controller.ask(topic("a"));
        controller.run();
        var _ = first.thenAccept(reply -> order.add("first"));
        var _ = second.thenAccept(reply -> order.add("second"));
        assertFalse(second.isDone(), "a refusal rests on the first one's commit");
        controller.settle();
        assertEquals(List.of("first", "second"), order);
    }

    @Test
    void shouldAppendQueuedRequestsTogether() {
        SimController controller = SimController.withBrokers(1);
        int before = controller.raft.batches().size();
        List<CompletableFuture<ApiMessage>> replies = new ArrayList<>();
        for (int i = 0; i < 50; i++) replies.add(controller.ask(topic("t" + i)));
        controller.settle();
        assertTrue(replies.stream().allMatch(CompletableFuture::isDone));
        assertEquals(before + 1, controller.raft.batches().size());
        assertEquals(50, controller.image().topics().topicsByName().size());
    }

    @Test
    void shouldCommitStepByStep() {
        SimController controller = SimController.withBrokers(1);
        CompletableFuture<ApiMessage> first = controller.ask(topic("a"));
        controller.run();
        CompletableFuture<ApiMessage> second = controller.ask(topic("b"));
        controller.run();
        controller.raft.commitOne();
        controller.run();
        assertTrue(first.isDone());
        assertFalse(second.isDone());
        assertNotNull(controller.image().topics().getTopic("a"));
        assertNull(controller.image().topics().getTopic("b"));
    }

    @Test
    void shouldDropWhatIsNotCommittedWhenLeadershipIsLost() {
        SimController controller = SimController.withBrokers(1);
        CompletableFuture<ApiMessage> reply = controller.ask(topic("lost"));
        controller.run();
        controller.raft.loseLeadership(2, 2);
        controller.run();
        CompletionException failure = assertThrows(CompletionException.class, reply::join);
        assertInstanceOf(RetriableException.class, failure.getCause());
        assertInstanceOf(NotControllerException.class, failure.getCause().getCause());
        assertNull(controller.working().topics().getTopic("lost"));
        assertFalse(controller.isActive());
    }

    @Test
    void shouldGoOnFromWhatTheOtherLeaderCommitted() {
        SimController controller = SimController.withBrokers(1);
        CompletableFuture<ApiMessage> lost = controller.ask(topic("lost"));
        controller.run();
        controller.raft.loseLeadership(2, 2);
        Uuid id = Uuid.randomUuid();
        controller.raft.commitFromOther(
                List.of(
                        new ApiMessageAndVersion(
                                new TopicRecord().setName("theirs").setTopicId(id), (short) 0)));
        controller.raft.becomeLeader(3);
        controller.settle();
        controller.send(topic("ours"));
        assertNotNull(controller.image().topics().getTopic("theirs"));
        assertNotNull(controller.image().topics().getTopic("ours"));
        assertNull(controller.image().topics().getTopic("lost"));
        assertTrue(lost.isCompletedExceptionally());
    }

    @Test
    void shouldRefuseRequestsWhenNotActive() {
        SimController controller = new SimController();
        CompletableFuture<ApiMessage> reply = controller.ask(topic("t"));
        controller.run();
        assertTrue(reply.isCompletedExceptionally());
    }

    @Test
    void shouldTellWhoWaitedPastItsDeadline() {
        SimController controller = SimController.withBrokers(1);
        CompletableFuture<ApiMessage> reply = controller.ask(topic("t"));
        controller.run();
        controller.clock.advanceMs(31_000);
        controller.loop().handle(new Event.Tick());
        CompletionException failure = assertThrows(CompletionException.class, reply::join);
        assertInstanceOf(TimeoutException.class, failure.getCause().getCause());
    }

    @Test
    void shouldWriteNoOpsWhenIdleAndNotWhenBusy() {
        SimController controller = SimController.withBrokers(1);
        int before = controller.records().size();
        controller.tickAfter(300);
        assertEquals(before, controller.records().size());
        controller.tickAfter(300);
        assertEquals(before + 1, controller.records().size());
        assertEquals(MetadataRecordType.NO_OP_RECORD, types(controller.records()).getLast());
    }

    @Test
    void shouldGiveEachProducerIdBlockOnce() {
        SimController controller = SimController.withBrokers(1);
        AllocateProducerIdsRequestData request =
                new AllocateProducerIdsRequestData()
                        .setBrokerId(1)
                        .setBrokerEpoch(controller.epoch(1));
        AllocateProducerIdsResponseData first = controller.send(request);
        AllocateProducerIdsResponseData second = controller.send(request);
        assertEquals(0, first.producerIdStart());
        assertEquals(1000, first.producerIdLen());
        assertEquals(1000, second.producerIdStart());
        assertEquals(2000, controller.image().producerIds().nextProducerId());
    }

    @Test
    void shouldResignWhenClosed() {
        SimController controller = SimController.withBrokers(1);
        CompletableFuture<ApiMessage> reply = controller.ask(topic("t"));
        controller.run();
        controller.loop().close();
        assertTrue(reply.isCompletedExceptionally());
        assertEquals(1, controller.raft.resignedEpoch());
    }

    @Test
    void shouldCutTheChangesOfABrokerWithVeryManyPartitions() {
        SimController controller = SimController.withBrokers(1, 2);
        for (int i = 0; i < 3; i++) {
            controller.createTopic("t" + i, Collections.nCopies(5_000, List.of(1, 2)));
        }
        int before = controller.raft.batches().size();
        CompletableFuture<ApiMessage> reply =
                controller.ask(controller.heartbeatOf(1).setWantFence(true));
        controller.run();
        assertEquals(2, controller.raft.uncommittedAppends());
        controller.raft.commitOne();
        controller.run();
        assertFalse(reply.isDone());
        long moved =
                controller.image().topics().topicsById().values().stream()
                        .flatMap(topic -> topic.partitions().values().stream())
                        .filter(partition -> partition.leader == 2)
                        .count();
        assertEquals(10_000, moved);
        assertFalse(controller.image().cluster().broker(1).fenced(), "that comes last");
        controller.settle();
        assertTrue(reply.isDone());
        assertTrue(controller.image().cluster().broker(1).fenced());
        assertEquals(before + 2, controller.raft.batches().size());
    }

    @Test
    void shouldTakeOverFromASnapshot() {
        SimController first = SimController.withBrokers(1, 2);
        first.createTopic("t", List.of(List.of(1, 2), List.of(2, 1)));
        RecordListWriter snapshot = new RecordListWriter();
        first.image()
                .write(
                        snapshot,
                        new ImageWriterOptions.Builder(
                                        first.image().features().metadataVersionOrThrow())
                                .setEligibleLeaderReplicasEnabled(true)
                                .build());

        SimController second = new SimController();
        SimSnapshotReader reader =
                new SimSnapshotReader(new OffsetAndEpoch(500, 1), snapshot.records());
        second.loop().handle(new Event.Snapshot(reader));
        assertTrue(reader.isClosed());
        second.raft.startAt(500);
        second.raft.becomeLeader(2);
        second.settle();
        assertEquals(first.image().topics(), second.image().topics());
        assertEquals(first.image().cluster(), second.image().cluster());
        assertEquals(List.of(), second.records(), "the log was not empty");
        second.send(topic("more"));
        assertNotNull(second.image().topics().getTopic("more"));
        assertNotNull(second.image().topics().getTopic("t"));
    }

    @Test
    void shouldBeginWithWhatFormattingLeft() {
        SimController controller = new SimController();
        SimSnapshotReader reader =
                new SimSnapshotReader(
                        new OffsetAndEpoch(0, 0),
                        List.of(
                                new ApiMessageAndVersion(
                                        new FeatureLevelRecord()
                                                .setName(MetadataVersion.FEATURE_NAME)
                                                .setFeatureLevel(
                                                        MetadataVersion.IBP_3_9_IV0.featureLevel()),
                                        (short) 0)));
        controller.loop().handle(new Event.Bootstrap(reader));
        controller.raft.becomeLeader(1);
        controller.settle();
        assertTrue(reader.isClosed());
        assertEquals(
                MetadataVersion.IBP_3_9_IV0,
                controller.image().features().metadataVersionOrThrow());
    }

    @Test
    void shouldAbortATransactionThatItsPredecessorLeftOpen() {
        SimController controller = new SimController();
        controller.raft.commitFromOther(
                List.of(
                        new ApiMessageAndVersion(
                                new BeginTransactionRecord().setName("half"), (short) 0),
                        new ApiMessageAndVersion(
                                new TopicRecord().setName("half").setTopicId(new Uuid(7, 7)),
                                (short) 0)));
        controller.raft.becomeLeader(1);
        controller.settle();
        assertNull(controller.image().topics().getTopic("half"));
        assertTrue(
                types(controller.records()).contains(MetadataRecordType.ABORT_TRANSACTION_RECORD));
        assertEquals(
                MetadataVersion.latestProduction(),
                controller.image().features().metadataVersionOrThrow());
    }
}
