// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.data;

import static io.oxbow.server.handler.data.DataFixture.batch;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.message.DeleteRecordsRequestData;
import org.apache.kafka.common.message.DeleteRecordsRequestData.DeleteRecordsPartition;
import org.apache.kafka.common.message.DeleteRecordsRequestData.DeleteRecordsTopic;
import org.apache.kafka.common.message.DeleteRecordsResponseData;
import org.apache.kafka.common.message.DeleteRecordsResponseData.DeleteRecordsPartitionResult;
import org.apache.kafka.common.message.DescribeProducersRequestData;
import org.apache.kafka.common.message.DescribeProducersRequestData.TopicRequest;
import org.apache.kafka.common.message.DescribeProducersResponseData;
import org.apache.kafka.common.message.DescribeProducersResponseData.PartitionResponse;
import org.apache.kafka.common.message.ListOffsetsRequestData;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsPartition;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsTopic;
import org.apache.kafka.common.message.ListOffsetsResponseData;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsPartitionResponse;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData.OffsetForLeaderPartition;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData.OffsetForLeaderTopic;
import org.apache.kafka.common.message.OffsetForLeaderEpochResponseData;
import org.apache.kafka.common.message.OffsetForLeaderEpochResponseData.EpochEndOffset;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** ListOffsets, OffsetForLeaderEpoch, DeleteRecords and DescribeProducers. */
@Timeout(60)
class OffsetHandlersTest {
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

    // ---- ListOffsets ----

    @Test
    void shouldKnowTheSpecialTimestamps() throws Exception {
        data.produce(0, batch("a", "b", "c")); // time-stamps 1000, 1001, 1002
        assertOffset(-1, 3, 1, list(11, -1)); // latest
        assertOffset(-1, 0, 1, list(11, -2)); // earliest
        assertOffset(1002, 2, 1, list(11, -3)); // largest time-stamp
        assertOffset(-1, 0, 1, list(11, -4)); // earliest on this disk
        assertOffset(-1, -1, -1, list(11, -5)); // latest tiered: none
        assertOffset(-1, -1, -1, list(11, -6)); // earliest to be uploaded: none
    }

    @Test
    void shouldFindTheFirstRecordOfATime() throws Exception {
        data.produce(0, batch("a", "b", "c"));
        assertOffset(1000, 0, 1, list(11, 0));
        assertOffset(1001, 1, 1, list(11, 1001));
        assertOffset(-1, -1, -1, list(11, 1003));
    }

    @Test
    void shouldKnowTheOffsetsOfAnEmptyLog() throws Exception {
        assertEquals(0, list(11, -1).offset());
        assertEquals(0, list(11, -2).offset());
        assertOffset(-1, -1, -1, list(11, -3));
        assertOffset(-1, -1, -1, list(11, 5));
    }

    @Test
    void shouldNotKnowSpecialTimestampsBeforeTheirVersion() throws Exception {
        assertEquals(Errors.UNSUPPORTED_VERSION.code(), list(6, -3).errorCode());
        assertEquals(Errors.UNSUPPORTED_VERSION.code(), list(7, -4).errorCode());
        assertEquals(Errors.UNSUPPORTED_VERSION.code(), list(8, -5).errorCode());
        assertEquals(Errors.UNSUPPORTED_VERSION.code(), list(10, -6).errorCode());
        assertEquals(Errors.UNSUPPORTED_VERSION.code(), list(11, -7).errorCode());
        assertEquals(Errors.NONE.code(), list(7, -3).errorCode());
    }

    @Test
    void shouldRefuseAPartitionThatIsNamedTwice() throws Exception {
        ListOffsetsRequestData request = listRequest("orders", 0, -1);
        request.topics()
                .getFirst()
                .partitions()
                .add(new ListOffsetsPartition().setPartitionIndex(0).setTimestamp(-2));
        ListOffsetsResponseData response =
                data.send(ApiKeys.LIST_OFFSETS, 7, request).await(ListOffsetsResponseData.class);
        for (ListOffsetsPartitionResponse each : response.topics().getFirst().partitions()) {
            assertEquals(Errors.INVALID_REQUEST.code(), each.errorCode());
        }
    }

    @Test
    void shouldRefuseToListWhatItDoesNotLead() throws Exception {
        assertEquals(
                Errors.NOT_LEADER_OR_FOLLOWER.code(),
                list(7, listRequest("far", 0, -1)).errorCode());
        assertEquals(
                Errors.UNKNOWN_TOPIC_OR_PARTITION.code(),
                list(7, listRequest("no", 0, -1)).errorCode());
        ListOffsetsRequestData fenced = listRequest("orders", 0, -1);
        fenced.topics().getFirst().partitions().getFirst().setCurrentLeaderEpoch(0);
        assertEquals(Errors.FENCED_LEADER_EPOCH.code(), list(7, fenced).errorCode());
    }

    // ---- OffsetForLeaderEpoch ----

    @Test
    void shouldTellWhereAnEpochEnded() throws Exception {
        data.produce(0, batch("a", "b"));
        assertEnd(Errors.NONE, 1, 2, epochEnd("orders", 1, -1));
        assertEnd(Errors.NONE, -1, -1, epochEnd("orders", 5, -1));
        assertEnd(Errors.FENCED_LEADER_EPOCH, -1, -1, epochEnd("orders", 1, 0));
        assertEnd(Errors.NOT_LEADER_OR_FOLLOWER, -1, -1, epochEnd("far", 1, -1));
    }

    // ---- DeleteRecords ----

    @Test
    void shouldDeleteRecordsUpToTheHighWatermark() throws Exception {
        data.produce(0, batch("a", "b", "c"));
        assertDeleted(Errors.NONE, 2, delete("orders", 0, 2));
        assertEquals(2, list(11, -2).offset());
        assertDeleted(Errors.OFFSET_OUT_OF_RANGE, -1, delete("orders", 0, 4));
        assertDeleted(Errors.NONE, 3, delete("orders", 0, -1));
        assertDeleted(Errors.NONE, 3, delete("orders", 0, 1));
    }

    @Test
    void shouldNotDeleteRecordsWhereThePolicyForbidsIt() throws Exception {
        data.produce("compacted", 0, batch("a"), 1);
        assertDeleted(Errors.POLICY_VIOLATION, -1, delete("compacted", 0, 1));
        assertDeleted(
                Errors.INVALID_TOPIC_EXCEPTION, -1, delete(Topic.GROUP_METADATA_TOPIC_NAME, 0, 0));
        assertDeleted(Errors.NOT_LEADER_OR_FOLLOWER, -1, delete("far", 0, 0));
        assertDeleted(Errors.UNKNOWN_TOPIC_OR_PARTITION, -1, delete("orders", 9, 0));
    }

    // ---- DescribeProducers ----

    @Test
    void shouldDescribeTheProducersOfAPartition() throws Exception {
        data.produce(
                0,
                MemoryRecords.withIdempotentRecords(
                        Compression.NONE,
                        77L,
                        (short) 3,
                        0,
                        new SimpleRecord(1000, DataFixture.bytes("a")),
                        new SimpleRecord(1005, DataFixture.bytes("b"))));
        PartitionResponse response = producers("orders");
        assertEquals(1, response.activeProducers().size());
        assertEquals(77, response.activeProducers().getFirst().producerId());
        assertEquals(3, response.activeProducers().getFirst().producerEpoch());
        assertEquals(1, response.activeProducers().getFirst().lastSequence());
        assertEquals(-1, response.activeProducers().getFirst().currentTxnStartOffset());
        assertEquals(Errors.NOT_LEADER_OR_FOLLOWER.code(), producers("far").errorCode());
    }

    // ---- requests ----

    private ListOffsetsPartitionResponse list(int version, long timestamp) throws Exception {
        return list(version, listRequest("orders", 0, timestamp));
    }

    private ListOffsetsPartitionResponse list(int version, ListOffsetsRequestData request)
            throws Exception {
        return data.send(ApiKeys.LIST_OFFSETS, version, request)
                .await(ListOffsetsResponseData.class)
                .topics()
                .getFirst()
                .partitions()
                .getFirst();
    }

    private static ListOffsetsRequestData listRequest(String topic, int partition, long timestamp) {
        ListOffsetsTopic asked = new ListOffsetsTopic().setName(topic);
        asked.partitions()
                .add(
                        new ListOffsetsPartition()
                                .setPartitionIndex(partition)
                                .setTimestamp(timestamp));
        ListOffsetsRequestData request = new ListOffsetsRequestData().setReplicaId(-1);
        request.topics().add(asked);
        return request;
    }

    private EpochEndOffset epochEnd(String topic, int epoch, int currentEpoch) throws Exception {
        OffsetForLeaderTopic asked = new OffsetForLeaderTopic().setTopic(topic);
        asked.partitions()
                .add(
                        new OffsetForLeaderPartition()
                                .setPartition(0)
                                .setLeaderEpoch(epoch)
                                .setCurrentLeaderEpoch(currentEpoch));
        OffsetForLeaderEpochRequestData request = new OffsetForLeaderEpochRequestData();
        request.topics().add(asked);
        return data.send(ApiKeys.OFFSET_FOR_LEADER_EPOCH, 4, request)
                .await(OffsetForLeaderEpochResponseData.class)
                .topics()
                .iterator()
                .next()
                .partitions()
                .getFirst();
    }

    private DeleteRecordsPartitionResult delete(String topic, int partition, long offset)
            throws Exception {
        DeleteRecordsTopic asked = new DeleteRecordsTopic().setName(topic);
        asked.partitions()
                .add(new DeleteRecordsPartition().setPartitionIndex(partition).setOffset(offset));
        DeleteRecordsRequestData request =
                new DeleteRecordsRequestData().setTimeoutMs(10_000).setTopics(List.of(asked));
        return data.send(ApiKeys.DELETE_RECORDS, 2, request)
                .await(DeleteRecordsResponseData.class)
                .topics()
                .find(topic)
                .partitions()
                .find(partition);
    }

    private PartitionResponse producers(String topic) throws Exception {
        DescribeProducersRequestData request = new DescribeProducersRequestData();
        request.topics().add(new TopicRequest().setName(topic).setPartitionIndexes(List.of(0)));
        return data.send(ApiKeys.DESCRIBE_PRODUCERS, 0, request)
                .await(DescribeProducersResponseData.class)
                .topics()
                .getFirst()
                .partitions()
                .getFirst();
    }

    private static void assertOffset(
            long timestamp, long offset, int epoch, ListOffsetsPartitionResponse response) {
        assertEquals(Errors.NONE.code(), response.errorCode());
        assertEquals(timestamp, response.timestamp());
        assertEquals(offset, response.offset());
        assertEquals(epoch, response.leaderEpoch());
    }

    private static void assertEnd(Errors error, int epoch, long offset, EpochEndOffset end) {
        assertEquals(error.code(), end.errorCode());
        assertEquals(epoch, end.leaderEpoch());
        assertEquals(offset, end.endOffset());
    }

    private static void assertDeleted(
            Errors error, long lowWatermark, DeleteRecordsPartitionResult result) {
        assertEquals(error.code(), result.errorCode());
        assertEquals(lowWatermark, result.lowWatermark());
    }
}
