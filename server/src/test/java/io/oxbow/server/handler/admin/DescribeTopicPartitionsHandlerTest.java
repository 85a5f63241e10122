// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.oxbow.server.doubles.Images;
import io.oxbow.server.doubles.RecordingRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.DescribeTopicPartitionsRequestData;
import org.apache.kafka.common.message.DescribeTopicPartitionsRequestData.TopicRequest;
import org.apache.kafka.common.message.DescribeTopicPartitionsResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.image.MetadataImage;
import org.junit.jupiter.api.Test;

class DescribeTopicPartitionsHandlerTest {
    private static final Uuid A = new Uuid(1, 1);
    private static final Uuid B = new Uuid(2, 2);

    private final MetadataImage image =
            Images.after(
                    MetadataImage.EMPTY,
                    Images.broker(1, 1, false),
                    Images.topic("b", B),
                    Images.partition(B, 0, 1, 1),
                    Images.topic("a", A),
                    Images.partition(A, 0, 1, 1),
                    Images.partition(A, 1, 1, 1),
                    Images.partition(A, 2, 1, 1));
    private final DescribeTopicPartitionsHandler handler =
            new DescribeTopicPartitionsHandler(() -> image, 2_000);

    @Test
    void shouldPageThroughAllPartitionsInOrder() {
        List<String> seen = new ArrayList<>();
        DescribeTopicPartitionsRequestData request = request(2);
        for (int page = 0; page < 3; page++) {
            DescribeTopicPartitionsResponseData answer = ask(request);
            answer.topics()
                    .forEach(
                            topic ->
                                    topic.partitions()
                                            .forEach(
                                                    each ->
                                                            seen.add(
                                                                    topic.name()
                                                                            + each
                                                                                    .partitionIndex())));
            if (answer.nextCursor() == null) break;
            request.setCursor(
                    new DescribeTopicPartitionsRequestData.Cursor()
                            .setTopicName(answer.nextCursor().topicName())
                            .setPartitionIndex(answer.nextCursor().partitionIndex()));
        }
        assertEquals(List.of("a0", "a1", "a2", "b0"), seen);
    }

    @Test
    void shouldGiveNoCursorOnTheLastPage() {
        assertEquals(null, ask(request(100)).nextCursor());
        assertNotNull(ask(request(3)).nextCursor());
    }

    @Test
    void shouldGoOnWithTheNextTopicIfTheCursorsOneIsGone() {
        DescribeTopicPartitionsRequestData request =
                request(100)
                        .setCursor(
                                new DescribeTopicPartitionsRequestData.Cursor()
                                        .setTopicName("aa")
                                        .setPartitionIndex(3));
        DescribeTopicPartitionsResponseData answer = ask(request);
        assertEquals(1, answer.topics().size());
        assertEquals(1, answer.topics().find("b").partitions().size());
    }

    @Test
    void shouldNameTopicsThatDoNotExist() {
        DescribeTopicPartitionsResponseData answer = ask(request(100, "a", "gone"));
        assertEquals(
                Errors.UNKNOWN_TOPIC_OR_PARTITION.code(), answer.topics().find("gone").errorCode());
        assertEquals(3, answer.topics().find("a").partitions().size());
    }

    @Test
    void shouldRefuseANegativeCursor() {
        RecordingRequest request =
                new RecordingRequest(
                        ApiKeys.DESCRIBE_TOPIC_PARTITIONS,
                        0,
                        request(1)
                                .setCursor(
                                        new DescribeTopicPartitionsRequestData.Cursor()
                                                .setTopicName("a")
                                                .setPartitionIndex(-1)));
        handler.handle(request);
        assertEquals(Errors.INVALID_REQUEST, request.error());
    }

    private static DescribeTopicPartitionsRequestData request(int limit, String... topics) {
        return new DescribeTopicPartitionsRequestData()
                .setResponsePartitionLimit(limit)
                .setTopics(
                        Arrays.stream(topics)
                                .map(name -> new TopicRequest().setName(name))
                                .toList());
    }

    private DescribeTopicPartitionsResponseData ask(DescribeTopicPartitionsRequestData body) {
        RecordingRequest request = new RecordingRequest(ApiKeys.DESCRIBE_TOPIC_PARTITIONS, 0, body);
        handler.handle(request);
        return request.reply(DescribeTopicPartitionsResponseData.class);
    }
}
