// SPDX-License-Identifier: Apache-2.0
package io.oxbow.benchmarks.client;

import io.oxbow.benchmarks.peer.Broker;
import io.oxbow.testkit.wire.RawClient;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopic;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopicConfig;
import org.apache.kafka.common.message.DeleteTopicsRequestData;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.ListOffsetsRequestData;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsPartition;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsTopic;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseTopic;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.requests.CreateTopicsRequest;
import org.apache.kafka.common.requests.CreateTopicsResponse;
import org.apache.kafka.common.requests.DeleteTopicsRequest;
import org.apache.kafka.common.requests.FetchRequest;
import org.apache.kafka.common.requests.FetchResponse;
import org.apache.kafka.common.requests.ListOffsetsRequest;
import org.apache.kafka.common.requests.ListOffsetsResponse;
import org.apache.kafka.common.requests.MetadataRequest;
import org.apache.kafka.common.requests.MetadataResponse;
import org.apache.kafka.common.requests.ProduceRequest;
import org.apache.kafka.common.requests.ProduceResponse;

/**
 * One connection on which single questions are asked, without a client's caches, back-off and
 * retries, so that a probe sees a broker's state when it changes. Used by one thread.
 *
 * @see RawClient for the errors: a cut connection is an UncheckedIOException
 */
public final class Control implements AutoCloseable {

    /** The last version that names topics by name, and whose response is not tagged. */
    static final short PRODUCE_VERSION = 8;

    static final short FETCH_VERSION = 11;
    private static final int TIMEOUT_MS = 15_000;

    private final RawClient client;

    public Control(Broker broker) {
        client = new RawClient(broker.port());
    }

    /** Asks once for a topic; NONE when it is made. */
    public Errors create(String topic, int partitions, Map<String, String> configs) {
        CreatableTopic creatable =
                new CreatableTopic()
                        .setName(topic)
                        .setNumPartitions(partitions)
                        .setReplicationFactor((short) 1);
        configs.forEach(
                (key, value) ->
                        creatable
                                .configs()
                                .add(new CreatableTopicConfig().setName(key).setValue(value)));
        CreateTopicsRequestData data = new CreateTopicsRequestData().setTimeoutMs(TIMEOUT_MS);
        data.topics().add(creatable);
        CreateTopicsResponse answer =
                (CreateTopicsResponse)
                        client.send(
                                new CreateTopicsRequest.Builder(data)
                                        .build(ApiKeys.CREATE_TOPICS.latestVersion()));
        return Errors.forCode(answer.data().topics().find(topic).errorCode());
    }

    /** Asks once to delete a topic and does not look at the answer. */
    public void delete(String topic) {
        DeleteTopicsRequestData data =
                new DeleteTopicsRequestData()
                        .setTopicNames(List.of(topic))
                        .setTimeoutMs(TIMEOUT_MS);
        client.send(new DeleteTopicsRequest.Builder(data).build((short) 5));
    }

    /** Whether the topic has so many partitions, all with a leader. */
    public boolean leadersKnown(String topic, int partitions) {
        MetadataResponse answer =
                (MetadataResponse)
                        client.send(
                                MetadataRequest.Builder.forTopicNames(List.of(topic), false)
                                        .build((short) 12));
        MetadataResponseTopic found = answer.data().topics().find(topic);
        return found != null
                && found.errorCode() == Errors.NONE.code()
                && found.partitions().size() == partitions
                && found.partitions().stream().allMatch(each -> each.leaderId() >= 0);
    }

    /** Whether every partition says where it ends. */
    public boolean endsKnown(String topic, int partitions) {
        List<ListOffsetsPartition> asked =
                IntStream.range(0, partitions)
                        .mapToObj(
                                i ->
                                        new ListOffsetsPartition()
                                                .setPartitionIndex(i)
                                                .setTimestamp(ListOffsetsRequest.LATEST_TIMESTAMP))
                        .toList();
        ListOffsetsRequestData data =
                new ListOffsetsRequestData()
                        .setReplicaId(-1)
                        .setTopics(
                                List.of(
                                        new ListOffsetsTopic()
                                                .setName(topic)
                                                .setPartitions(asked)));
        ListOffsetsResponse answer =
                (ListOffsetsResponse)
                        client.send(
                                ListOffsetsRequest.parse(
                                        MessageUtil.toByteBufferAccessor(data, (short) 7),
                                        (short) 7));
        return answer.data().topics().getFirst().partitions().stream()
                .allMatch(each -> each.errorCode() == Errors.NONE.code());
    }

    /**
     * Sends the same batch to each of the {@code pending} partitions, in one request, and removes
     * those that took it.
     *
     * @return whether none is left
     */
    public boolean produce(String topic, Set<Integer> pending, MemoryRecords batch) {
        ProduceRequestData data =
                new ProduceRequestData().setAcks((short) -1).setTimeoutMs(TIMEOUT_MS);
        data.topicData()
                .add(
                        new TopicProduceData()
                                .setName(topic)
                                .setPartitionData(
                                        pending.stream()
                                                .map(
                                                        i ->
                                                                new PartitionProduceData()
                                                                        .setIndex(i)
                                                                        .setRecords(batch))
                                                .toList()));
        ProduceResponse answer =
                (ProduceResponse) client.send(ProduceRequest.builder(data).build(PRODUCE_VERSION));
        answer.data()
                .responses()
                .forEach(
                        each ->
                                each.partitionResponses().stream()
                                        .filter(one -> one.errorCode() == Errors.NONE.code())
                                        .forEach(one -> pending.remove(one.index())));
        return pending.isEmpty();
    }

    /** Whether a partition gives records from its start. */
    public boolean reads(String topic, int partition) {
        FetchRequestData data =
                new FetchRequestData()
                        .setMaxWaitMs(100)
                        .setMinBytes(1)
                        .setMaxBytes(1 << 20)
                        .setSessionEpoch(-1)
                        .setTopics(
                                List.of(
                                        new FetchRequestData.FetchTopic()
                                                .setTopic(topic)
                                                .setPartitions(
                                                        List.of(
                                                                new FetchRequestData
                                                                                .FetchPartition()
                                                                        .setPartition(partition)
                                                                        .setFetchOffset(0)
                                                                        .setPartitionMaxBytes(
                                                                                1 << 20)))));
        FetchRequest request =
                FetchRequest.parse(
                        MessageUtil.toByteBufferAccessor(data, FETCH_VERSION), FETCH_VERSION);
        FetchResponseData answer = ((FetchResponse) client.send(request)).data();
        return answer.errorCode() == Errors.NONE.code()
                && answer.responses().stream()
                        .flatMap(each -> each.partitions().stream())
                        .anyMatch(
                                each ->
                                        each.errorCode() == Errors.NONE.code()
                                                && each.records() != null
                                                && each.records().sizeInBytes() > 0);
    }

    @Override
    public void close() {
        client.close();
    }
}
