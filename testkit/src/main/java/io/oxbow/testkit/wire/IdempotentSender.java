// SPDX-License-Identifier: Apache-2.0
package io.oxbow.testkit.wire;

import io.oxbow.testkit.process.Wait;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.InitProducerIdRequestData;
import org.apache.kafka.common.message.InitProducerIdResponseData;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.requests.InitProducerIdRequest;
import org.apache.kafka.common.requests.InitProducerIdResponse;
import org.apache.kafka.common.requests.MetadataRequest;
import org.apache.kafka.common.requests.MetadataResponse;
import org.apache.kafka.common.requests.ProduceRequest;
import org.apache.kafka.common.requests.ProduceResponse;

/**
 * An idempotent producer of one partition that says itself which sequence number it sends, to see
 * whether the broker remembers the last one. Connects anew for every request, so it lives through a
 * change of the process. Used by one thread.
 */
public final class IdempotentSender {

    /** Records in each batch. */
    public static final int BATCH_RECORDS = 3;

    private static final short PRODUCE_VERSION = 13;

    private final int port;
    private final int partition;
    private final Uuid topicId;
    private final long producerId;
    private final short epoch;
    private int sequence = -BATCH_RECORDS;
    private long lastOffset = -1;

    /** What the broker said. */
    public record Answer(Errors error, long offset) {}

    /** Gets a producer id from the broker. */
    public IdempotentSender(int port, String topic, int partition) {
        this.port = port;
        this.partition = partition;
        this.topicId = topicId(port, topic);
        InitProducerIdResponseData given = initProducerId(port);
        this.producerId = given.producerId();
        this.epoch = given.producerEpoch();
    }

    /** Asks until the broker has got a block of ids from the controller. */
    private static InitProducerIdResponseData initProducerId(int port) {
        InitProducerIdRequestData init =
                new InitProducerIdRequestData()
                        .setTransactionalId(null)
                        .setTransactionTimeoutMs(60_000)
                        .setProducerId(-1)
                        .setProducerEpoch((short) -1);
        AtomicReference<InitProducerIdResponseData> answer = new AtomicReference<>();
        Wait.until(
                () -> "a producer id: " + answer,
                Duration.ofSeconds(30),
                () -> {
                    try (RawClient client = new RawClient(port)) {
                        InitProducerIdRequest request =
                                new InitProducerIdRequest.Builder(init).build((short) 4);
                        answer.set(((InitProducerIdResponse) client.send(request)).data());
                        return answer.get().errorCode() == Errors.NONE.code();
                    }
                });
        return answer.get();
    }

    private static Uuid topicId(int port, String topic) {
        MetadataRequestData asked = new MetadataRequestData();
        asked.topics().add(new MetadataRequestData.MetadataRequestTopic().setName(topic));
        try (RawClient client = new RawClient(port)) {
            MetadataRequest request =
                    new MetadataRequest.Builder(asked).build(ApiKeys.METADATA.latestVersion());
            MetadataResponse answer = (MetadataResponse) client.send(request);
            return answer.data().topics().find(topic).topicId();
        }
    }

    /** Sends the next batch. */
    public Answer sendNext() {
        Answer answer = send(sequence + BATCH_RECORDS);
        if (answer.error() == Errors.NONE) {
            sequence += BATCH_RECORDS;
            lastOffset = answer.offset();
        }
        return answer;
    }

    /** Sends the last batch once more. */
    public Answer sendLastAgain() {
        return send(sequence);
    }

    /** Sends a batch whose sequence leaves some out. */
    public Answer sendWithGap() {
        return send(sequence + 5 * BATCH_RECORDS);
    }

    /** First offset of the last batch that was appended. */
    public long lastOffset() {
        return lastOffset;
    }

    private Answer send(int baseSequence) {
        SimpleRecord[] records = new SimpleRecord[BATCH_RECORDS];
        for (int i = 0; i < records.length; i++) {
            byte[] value = ("sequence " + (baseSequence + i)).getBytes(StandardCharsets.UTF_8);
            records[i] = new SimpleRecord(System.currentTimeMillis(), value);
        }
        MemoryRecords batch =
                MemoryRecords.withIdempotentRecords(
                        Compression.NONE, producerId, epoch, baseSequence, records);
        ProduceRequestData data = new ProduceRequestData().setAcks((short) -1).setTimeoutMs(10_000);
        data.topicData()
                .add(
                        new TopicProduceData()
                                .setTopicId(topicId)
                                .setPartitionData(
                                        List.of(
                                                new PartitionProduceData()
                                                        .setIndex(partition)
                                                        .setRecords(batch))));
        try (RawClient client = new RawClient(port)) {
            ProduceRequest request = ProduceRequest.builder(data).build(PRODUCE_VERSION);
            ProduceResponse answer = (ProduceResponse) client.send(request);
            PartitionProduceResponse each =
                    answer.data().responses().iterator().next().partitionResponses().getFirst();
            return new Answer(Errors.forCode(each.errorCode()), each.baseOffset());
        }
    }
}
