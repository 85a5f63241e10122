// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.data;

import static io.oxbow.server.handler.data.DataFixture.batch;
import static io.oxbow.server.handler.data.DataFixture.produceRequest;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ProduceHandlerTest {
    @TempDir private Path home;
    private DataFixture data;

    @BeforeEach
    void open() throws Exception {
        data = new DataFixture(home);
    }

    @AfterEach
    void close() {
        data.close();
    }

    @Test
    void shouldAnswerWithTheOffsetsThatRecordsGot() throws Exception {
        assertOffset(0, data.produce("orders", 0, batch("a", "b"), 1));
        assertOffset(2, data.produce("orders", 0, batch("c"), -1));
        assertOffset(0, data.produce("orders", 1, batch("d"), -1));
    }

    @Test
    void shouldAnswerForAllPartitionsAtOnceInTheOrderOfTheRequest() throws Exception {
        ProduceRequestData request = produceRequest("orders", 2, batch("a"), -1);
        request.topicData()
                .add(
                        new TopicProduceData()
                                .setName("far")
                                .setPartitionData(List.of(partition(0, batch("b")))));
        request.topicData()
                .add(
                        new TopicProduceData()
                                .setName("compacted")
                                .setPartitionData(
                                        List.of(
                                                partition(0, batch("c")),
                                                partition(7, batch("d")))));
        ProduceResponseData response =
                data.send(ApiKeys.PRODUCE, 12, request).await(ProduceResponseData.class);
        List<Integer> errors =
                response.responses().stream()
                        .flatMap(topic -> topic.partitionResponses().stream())
                        .map(each -> (int) each.errorCode())
                        .toList();
        assertEquals(
                List.of(
                        0,
                        (int) Errors.NOT_LEADER_OR_FOLLOWER.code(),
                        0,
                        (int) Errors.UNKNOWN_TOPIC_OR_PARTITION.code()),
                errors);
        assertEquals(
                List.of("orders", "far", "compacted"),
                response.responses().stream().map(each -> each.name()).toList());
    }

    @Test
    void shouldNameTheLeaderAndItsAddress() throws Exception {
        ProduceResponseData response =
                data.send(ApiKeys.PRODUCE, 10, produceRequest("far", 0, batch("a"), 1))
                        .await(ProduceResponseData.class);
        PartitionProduceResponse partition =
                response.responses().iterator().next().partitionResponses().getFirst();
        assertEquals(DataFixture.OTHER, partition.currentLeader().leaderId());
        assertEquals(1, partition.currentLeader().leaderEpoch());
        assertEquals("b2", response.nodeEndpoints().find(DataFixture.OTHER).host());
    }

    @Test
    void shouldFindTopicsById() throws Exception {
        assertOffset(0, produceById(DataFixture.ORDERS, 0));
        assertError(Errors.UNKNOWN_TOPIC_ID, produceById(new Uuid(9, 9), 0));
        assertError(Errors.UNKNOWN_TOPIC_ID, produceById(Uuid.ZERO_UUID, 0));
        assertError(Errors.UNKNOWN_TOPIC_OR_PARTITION, produceById(DataFixture.ORDERS, 9));
        assertError(Errors.NOT_LEADER_OR_FOLLOWER, produceById(DataFixture.FAR, 0));
    }

    @Test
    void shouldRefuseOtherAcks() throws Exception {
        PartitionProduceResponse refused = data.produce("orders", 0, batch("a"), 2);
        assertError(Errors.INVALID_REQUIRED_ACKS, refused);
        assertEquals(-1, refused.logStartOffset());
        assertOffset(0, data.produce("orders", 0, batch("b"), 1));
    }

    @Test
    void shouldRefuseDamagedAndMissingBatches() throws Exception {
        ByteBuffer damaged = batch("some text").buffer();
        damaged.put(damaged.limit() - 3, (byte) 'X');
        assertError(
                Errors.CORRUPT_MESSAGE, data.produce(0, MemoryRecords.readableRecords(damaged)));
        assertError(Errors.INVALID_RECORD, data.produce(0, null));
        assertError(Errors.INVALID_RECORD, data.produce(0, MemoryRecords.EMPTY));
        assertOffset(0, data.produce(0, batch("fine")));
    }

    @Test
    void shouldKeepClientsOutOfInternalTopics() throws Exception {
        String topic = Topic.GROUP_METADATA_TOPIC_NAME;
        assertError(Errors.INVALID_TOPIC_EXCEPTION, data.produce(topic, 0, batch("a"), 1));
        Object answer =
                data.send(
                                ApiKeys.PRODUCE,
                                9,
                                "__admin_client",
                                produceRequest(topic, 0, batch("a"), 1))
                        .await();
        assertOffset(
                0,
                ((ProduceResponseData) answer)
                        .responses()
                        .iterator()
                        .next()
                        .partitionResponses()
                        .getFirst());
    }

    @Test
    void shouldNotKnowAnyTransaction() throws Exception {
        ProduceRequestData without = produceRequest("orders", 0, transactional(), -1);
        assertEquals(
                Errors.TRANSACTIONAL_ID_AUTHORIZATION_FAILED,
                data.send(ApiKeys.PRODUCE, 9, without).await());
        ProduceRequestData with =
                produceRequest("orders", 0, transactional(), -1).setTransactionalId("mine");
        ProduceResponseData response =
                data.send(ApiKeys.PRODUCE, 9, with).await(ProduceResponseData.class);
        assertError(
                Errors.INVALID_PRODUCER_ID_MAPPING,
                response.responses().iterator().next().partitionResponses().getFirst());
    }

    @Test
    void shouldAnswerNothingToAcksNoneUnlessItFails() throws Exception {
        assertEquals(
                "nothing",
                data.send(ApiKeys.PRODUCE, 9, produceRequest("orders", 0, batch("a"), 0)).await());
        assertEquals(
                "disconnected",
                data.send(ApiKeys.PRODUCE, 9, produceRequest("far", 0, batch("a"), 0)).await());
        assertOffset(1, data.produce(0, batch("b")));
    }

    @Test
    void shouldAcknowledgeARepeatedBatchOfAnIdempotentProducerOnce() throws Exception {
        assertOffset(0, data.produce(0, idempotent(0)));
        assertOffset(1, data.produce(0, idempotent(1)));
        assertOffset(1, data.produce(0, idempotent(1)));
        PartitionProduceResponse gap = data.produce(0, idempotent(5));
        assertError(Errors.OUT_OF_ORDER_SEQUENCE_NUMBER, gap);
        assertEquals(0, gap.logStartOffset(), "the log was asked");
        assertOffset(2, data.produce(0, idempotent(2)));
    }

    @Test
    void shouldPauseTheConnectionWhileTheLaneIsFullAndGoOnInOrder() throws Exception {
        CountDownLatch stalled = new CountDownLatch(1);
        CompletableFuture<Boolean> stall =
                data.log(0)
                        .onLane(
                                _ -> {
                                    try {
                                        return stalled.await(30, TimeUnit.SECONDS);
                                    } catch (InterruptedException e) {
                                        throw new AssertionError(e);
                                    }
                                });
        List<LoopRequest> requests = new ArrayList<>();
        do {
            requests.add(
                    data.send(
                            ApiKeys.PRODUCE,
                            9,
                            produceRequest("orders", 0, batch("v" + requests.size()), 1)));
        } while (requests.getLast().pauses() == 0 && requests.size() < 1000);
        assertTrue(requests.size() <= 2 * DataFixture.LANE_CAPACITY, "the inbox is bounded");
        assertTrue(requests.stream().noneMatch(LoopRequest::answered), "the lane stands still");

        stalled.countDown();
        for (int i = 0; i < requests.size(); i++) {
            ProduceResponseData response = requests.get(i).await(ProduceResponseData.class);
            assertOffset(i, response.responses().iterator().next().partitionResponses().getFirst());
        }
        assertEquals(0, requests.getLast().pauses(), "the connection is read again");
        assertTrue(stall.get(1, TimeUnit.SECONDS));
    }

    private PartitionProduceResponse produceById(Uuid topicId, int partition) throws Exception {
        ProduceRequestData request = produceRequest("", partition, batch("a"), 1);
        request.topicData().iterator().next().setTopicId(topicId);
        return data.send(ApiKeys.PRODUCE, 13, request)
                .await(ProduceResponseData.class)
                .responses()
                .iterator()
                .next()
                .partitionResponses()
                .getFirst();
    }

    private static PartitionProduceData partition(int index, MemoryRecords records) {
        return new PartitionProduceData().setIndex(index).setRecords(records);
    }

    private static MemoryRecords idempotent(int sequence) {
        return MemoryRecords.withIdempotentRecords(
                Compression.NONE,
                77L,
                (short) 0,
                sequence,
                new SimpleRecord(1000, DataFixture.bytes("s" + sequence)));
    }

    private static MemoryRecords transactional() {
        return MemoryRecords.withTransactionalRecords(
                Compression.NONE,
                77L,
                (short) 0,
                0,
                new SimpleRecord(1000, DataFixture.bytes("t")));
    }

    private static void assertOffset(long offset, PartitionProduceResponse response) {
        assertEquals(Errors.NONE, Errors.forCode(response.errorCode()), response.toString());
        assertEquals(offset, response.baseOffset());
        assertEquals(0, response.logStartOffset());
    }

    private static void assertError(Errors error, PartitionProduceResponse response) {
        assertEquals(error, Errors.forCode(response.errorCode()), response.toString());
        assertEquals(-1, response.baseOffset());
        assertNotNull(response.errorMessage());
        assertFalse(response.errorMessage().isBlank());
        assertTrue(response.recordErrors().isEmpty());
    }
}
