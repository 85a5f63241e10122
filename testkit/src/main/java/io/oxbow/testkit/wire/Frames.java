// SPDX-License-Identifier: Apache-2.0
package io.oxbow.testkit.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.message.DescribeClusterRequestData;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.ListOffsetsRequestData;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.requests.RequestUtils;

/** Valid request frames, and ways to spoil them. */
public final class Frames {

    private Frames() {}

    /** One valid frame of several kinds of request, in a version that takes topic names. */
    public static List<byte[]> samples(String topic) {
        List<byte[]> frames = new ArrayList<>();
        frames.add(
                frame(
                        ApiKeys.API_VERSIONS,
                        (short) 4,
                        new ApiVersionsRequestData()
                                .setClientSoftwareName("garbage")
                                .setClientSoftwareVersion("1")));
        MetadataRequestData metadata = new MetadataRequestData();
        metadata.topics().add(new MetadataRequestData.MetadataRequestTopic().setName(topic));
        frames.add(frame(ApiKeys.METADATA, (short) 9, metadata));
        frames.add(frame(ApiKeys.DESCRIBE_CLUSTER, (short) 0, new DescribeClusterRequestData()));
        frames.add(frame(ApiKeys.LIST_OFFSETS, (short) 5, listOffsets(topic)));
        frames.add(frame(ApiKeys.FETCH, (short) 11, fetch(topic)));
        frames.add(frame(ApiKeys.PRODUCE, (short) 9, produce(topic)));
        frames.add(frame(ApiKeys.PRODUCE, (short) 3, produce(topic)));
        return frames;
    }

    private static ListOffsetsRequestData listOffsets(String topic) {
        return new ListOffsetsRequestData()
                .setReplicaId(-1)
                .setTopics(
                        List.of(
                                new ListOffsetsRequestData.ListOffsetsTopic()
                                        .setName(topic)
                                        .setPartitions(
                                                List.of(
                                                        new ListOffsetsRequestData
                                                                        .ListOffsetsPartition()
                                                                .setPartitionIndex(0)
                                                                .setTimestamp(-1)))));
    }

    private static FetchRequestData fetch(String topic) {
        return new FetchRequestData()
                .setMaxWaitMs(10)
                .setMinBytes(1)
                .setMaxBytes(10_000)
                .setTopics(
                        List.of(
                                new FetchRequestData.FetchTopic()
                                        .setTopic(topic)
                                        .setPartitions(
                                                List.of(
                                                        new FetchRequestData.FetchPartition()
                                                                .setPartition(0)
                                                                .setFetchOffset(0)
                                                                .setPartitionMaxBytes(10_000)))));
    }

    private static ProduceRequestData produce(String topic) {
        byte[] value = "a record to be spoilt".getBytes(StandardCharsets.UTF_8);
        ProduceRequestData produce =
                new ProduceRequestData().setAcks((short) -1).setTimeoutMs(1_000);
        produce.topicData()
                .add(
                        new ProduceRequestData.TopicProduceData()
                                .setName(topic)
                                .setPartitionData(
                                        List.of(
                                                new ProduceRequestData.PartitionProduceData()
                                                        .setIndex(0)
                                                        .setRecords(
                                                                MemoryRecords.withRecords(
                                                                        Compression.NONE,
                                                                        new SimpleRecord(1, value),
                                                                        new SimpleRecord(
                                                                                2, value))))));
        return produce;
    }

    private static byte[] frame(ApiKeys key, short version, ApiMessage body) {
        RequestHeader header = new RequestHeader(key, version, "garbage", 7);
        ByteBuffer buffer =
                RequestUtils.serialize(
                        header.data(), key.requestHeaderVersion(version), body, version);
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return bytes;
    }

    /** A spoilt copy: bits flipped, cut short, something inserted, or lengths made huge. */
    public static byte[] mutate(byte[] valid, Random random) {
        byte[] bytes = valid.clone();
        switch (random.nextInt(5)) {
            case 0 -> {
                for (int i = random.nextInt(4); i >= 0; i--) {
                    bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
                }
            }
            case 1 -> bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length));
            case 2 -> bytes = Arrays.copyOf(bytes, bytes.length + 1 + random.nextInt(64));
            case 3 -> {
                int at = random.nextInt(bytes.length);
                Arrays.fill(bytes, at, Math.min(bytes.length, at + 4), (byte) 0x7f);
            }
            default -> {
                byte[] noise = new byte[random.nextInt(16) + 1];
                random.nextBytes(noise);
                int at = random.nextInt(bytes.length);
                System.arraycopy(noise, 0, bytes, at, Math.min(noise.length, bytes.length - at));
            }
        }
        return bytes;
    }
}
