// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.group;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.oxbow.server.doubles.RecordingRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.NotCoordinatorException;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestPartition;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestTopic;
import org.apache.kafka.common.message.OffsetCommitResponseData;
import org.apache.kafka.common.message.OffsetCommitResponseData.OffsetCommitResponsePartition;
import org.apache.kafka.common.message.OffsetCommitResponseData.OffsetCommitResponseTopic;
import org.apache.kafka.common.message.OffsetFetchRequestData;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestGroup;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestTopics;
import org.apache.kafka.common.message.OffsetFetchResponseData;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseGroup;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponsePartitions;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseTopics;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.image.MetadataImage;
import org.junit.jupiter.api.Test;

class OffsetHandlersTest {
    private static final Uuid ID = Uuid.randomUuid();
    private static final Uuid GONE = Uuid.randomUuid();
    private static final MetadataImage IMAGE = new Images().topic("t", ID, 2, 1).image();

    private final RecordingCoordinator coordinator =
            new RecordingCoordinator()
                    .onLater(
                            "commitOffsets",
                            arguments -> commitAll((OffsetCommitRequestData) arguments[1]))
                    .onLater(
                            "fetchOffsets",
                            arguments -> fetchAll((OffsetFetchRequestGroup) arguments[1]));

    private static CompletableFuture<OffsetCommitResponseData> commitAll(
            OffsetCommitRequestData commit) {
        OffsetCommitResponseData response = new OffsetCommitResponseData();
        for (OffsetCommitRequestTopic topic : commit.topics()) {
            OffsetCommitResponseTopic answer =
                    new OffsetCommitResponseTopic()
                            .setName(topic.name())
                            .setTopicId(topic.topicId());
            topic.partitions()
                    .forEach(
                            p ->
                                    answer.partitions()
                                            .add(
                                                    new OffsetCommitResponsePartition()
                                                            .setPartitionIndex(
                                                                    p.partitionIndex())));
            response.topics().add(answer);
        }
        return CompletableFuture.completedFuture(response);
    }

    /** Offset 5 for everything that is asked for; for all of a group, t-0 and old-0. */
    private static CompletableFuture<OffsetFetchResponseGroup> fetchAll(
            OffsetFetchRequestGroup group) {
        if (group.groupId().equals("elsewhere")) {
            return CompletableFuture.failedFuture(new NotCoordinatorException("not here"));
        }
        OffsetFetchResponseGroup answer =
                new OffsetFetchResponseGroup().setGroupId(group.groupId());
        if (group.topics() == null) {
            answer.topics().add(fetched("t", Uuid.ZERO_UUID, List.of(0)));
            answer.topics().add(fetched("old", Uuid.ZERO_UUID, List.of(0)));
        } else {
            group.topics()
                    .forEach(
                            t ->
                                    answer.topics()
                                            .add(
                                                    fetched(
                                                            t.name(),
                                                            t.topicId(),
                                                            t.partitionIndexes())));
        }
        return CompletableFuture.completedFuture(answer);
    }

    private static OffsetFetchResponseTopics fetched(String name, Uuid id, List<Integer> indexes) {
        OffsetFetchResponseTopics topic =
                new OffsetFetchResponseTopics().setName(name).setTopicId(id);
        indexes.forEach(
                i ->
                        topic.partitions()
                                .add(
                                        new OffsetFetchResponsePartitions()
                                                .setPartitionIndex(i)
                                                .setCommittedOffset(5)));
        return topic;
    }

    private OffsetCommitResponseData commit(int version, OffsetCommitRequestTopic... topics) {
        RecordingRequest request =
                new RecordingRequest(
                        ApiKeys.OFFSET_COMMIT,
                        version,
                        new OffsetCommitRequestData().setGroupId("g").setTopics(List.of(topics)));
        new OffsetCommitHandler(coordinator.coordinator(), () -> IMAGE).handle(request);
        return request.reply(OffsetCommitResponseData.class);
    }

    private static OffsetCommitRequestTopic toCommit(String name, Uuid id, int... partitions) {
        OffsetCommitRequestTopic topic =
                new OffsetCommitRequestTopic().setName(name).setTopicId(id);
        for (int partition : partitions) {
            topic.partitions().add(new OffsetCommitRequestPartition().setPartitionIndex(partition));
        }
        return topic;
    }

    private static List<String> outcomes(OffsetCommitResponseData response) {
        List<String> outcomes = new ArrayList<>();
        for (var topic : response.topics()) {
            for (var partition : topic.partitions()) {
                outcomes.add(
                        topic.name()
                                + "-"
                                + partition.partitionIndex()
                                + " "
                                + Errors.forCode(partition.errorCode()));
            }
        }
        outcomes.sort(null);
        return outcomes;
    }

    @Test
    void shouldCommitWhatExistsAndRefuseTheRestByName() {
        OffsetCommitResponseData response =
                commit(
                        9,
                        toCommit("t", Uuid.ZERO_UUID, 0, 7),
                        toCommit("nowhere", Uuid.ZERO_UUID, 0));
        assertEquals(
                List.of(
                        "nowhere-0 UNKNOWN_TOPIC_OR_PARTITION",
                        "t-0 NONE",
                        "t-7 UNKNOWN_TOPIC_OR_PARTITION"),
                outcomes(response));
        OffsetCommitRequestTopic asked =
                coordinator.lastArgument(1, OffsetCommitRequestData.class).topics().get(0);
        assertEquals(ID, asked.topicId(), "the coordinator sees the id too");
    }

    @Test
    void shouldCommitByTopicId() {
        OffsetCommitResponseData response = commit(10, toCommit("", ID, 1), toCommit("", GONE, 0));
        assertEquals(List.of("-0 UNKNOWN_TOPIC_ID", "t-1 NONE"), outcomes(response));
    }

    @Test
    void shouldNotAskTheCoordinatorWhenNothingExists() {
        commit(9, toCommit("nowhere", Uuid.ZERO_UUID, 0));
        assertEquals(0, coordinator.askedCount());
    }

    private OffsetFetchResponseData fetch(int version, OffsetFetchRequestData fetch) {
        RecordingRequest request = new RecordingRequest(ApiKeys.OFFSET_FETCH, version, fetch);
        new OffsetFetchHandler(coordinator.coordinator(), () -> IMAGE).handle(request);
        return request.reply(OffsetFetchResponseData.class);
    }

    @Test
    void shouldFetchTheOneGroupOfAnOldRequest() {
        OffsetFetchRequestData fetch =
                new OffsetFetchRequestData()
                        .setGroupId("g")
                        .setTopics(
                                List.of(
                                        new OffsetFetchRequestData.OffsetFetchRequestTopic()
                                                .setName("t")
                                                .setPartitionIndexes(List.of(1))));
        OffsetFetchResponseData response = fetch(7, fetch);
        assertEquals("t", response.topics().get(0).name());
        assertEquals(5, response.topics().get(0).partitions().get(0).committedOffset());
    }

    @Test
    void shouldAnswerForeachGroupOnItsOwn() {
        OffsetFetchRequestData fetch =
                new OffsetFetchRequestData()
                        .setGroups(
                                List.of(
                                        new OffsetFetchRequestGroup()
                                                .setGroupId("g")
                                                .setTopics(null),
                                        new OffsetFetchRequestGroup()
                                                .setGroupId("elsewhere")
                                                .setTopics(null)));
        OffsetFetchResponseData response = fetch(9, fetch);
        assertEquals(2, response.groups().get(0).topics().size());
        assertEquals(Errors.NOT_COORDINATOR.code(), response.groups().get(1).errorCode());
    }

    @Test
    void shouldFetchByTopicIdAndNameWhatIsGone() {
        OffsetFetchRequestData fetch =
                new OffsetFetchRequestData()
                        .setGroups(
                                List.of(
                                        new OffsetFetchRequestGroup()
                                                .setGroupId("g")
                                                .setTopics(
                                                        List.of(
                                                                new OffsetFetchRequestTopics()
                                                                        .setTopicId(ID)
                                                                        .setPartitionIndexes(
                                                                                List.of(0)),
                                                                new OffsetFetchRequestTopics()
                                                                        .setTopicId(GONE)
                                                                        .setPartitionIndexes(
                                                                                List.of(0))))));
        List<OffsetFetchResponseTopics> topics = fetch(10, fetch).groups().get(0).topics();
        assertEquals(5, topics.get(0).partitions().get(0).committedOffset());
        assertEquals(Errors.UNKNOWN_TOPIC_ID.code(), topics.get(1).partitions().get(0).errorCode());
        assertEquals(-1, topics.get(1).partitions().get(0).committedOffset());
    }

    @Test
    void shouldLeaveOutDeletedTopicsWhenAllIsFetchedById() {
        OffsetFetchRequestData fetch =
                new OffsetFetchRequestData()
                        .setGroups(
                                List.of(
                                        new OffsetFetchRequestGroup()
                                                .setGroupId("g")
                                                .setTopics(null)));
        List<OffsetFetchResponseTopics> topics = fetch(10, fetch).groups().get(0).topics();
        assertEquals(List.of(ID), topics.stream().map(OffsetFetchResponseTopics::topicId).toList());
    }
}
