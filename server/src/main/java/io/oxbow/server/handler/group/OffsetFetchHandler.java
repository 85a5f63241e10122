// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.group;

import io.oxbow.metadata.ImageSource;
import io.oxbow.server.api.ApiHandler;
import io.oxbow.server.api.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.OffsetFetchRequestData;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestGroup;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestTopics;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseGroup;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponsePartitions;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseTopics;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.OffsetFetchRequest;
import org.apache.kafka.common.requests.OffsetFetchResponse;
import org.apache.kafka.coordinator.group.GroupCoordinator;
import org.apache.kafka.image.TopicImage;
import org.apache.kafka.image.TopicsImage;

/**
 * OffsetFetch: one group until version 7, many since; all partitions of a group where its topics
 * are null; topics by id from version 10 on. Groups are asked side by side and answered together.
 */
final class OffsetFetchHandler implements ApiHandler {
    private static final short FIRST_BATCHED_VERSION = 8;

    private final GroupCoordinator coordinator;
    private final ImageSource images;

    OffsetFetchHandler(GroupCoordinator coordinator, ImageSource images) {
        this.coordinator = coordinator;
        this.images = images;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.OFFSET_FETCH;
    }

    @Override
    public void handle(Request request) {
        GroupCall call = new GroupCall(request);
        OffsetFetchRequestData fetch = (OffsetFetchRequestData) request.body();
        List<CompletableFuture<OffsetFetchResponseGroup>> answers = new ArrayList<>();
        for (OffsetFetchRequestGroup group : groups(fetch, call.version())) {
            answers.add(fetch(call, group, fetch.requireStable()));
        }
        CompletableFuture<Void> all =
                CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new));
        call.answerWith(
                all,
                done ->
                        new OffsetFetchResponse.Builder(
                                        answers.stream().map(CompletableFuture::join).toList())
                                .build(call.version())
                                .data());
    }

    private static List<OffsetFetchRequestGroup> groups(
            OffsetFetchRequestData fetch, short version) {
        if (version >= FIRST_BATCHED_VERSION) return fetch.groups();
        OffsetFetchRequestGroup only = new OffsetFetchRequestGroup().setGroupId(fetch.groupId());
        if (fetch.topics() == null) return List.of(only.setTopics(null));
        for (var topic : fetch.topics()) {
            only.topics()
                    .add(
                            new OffsetFetchRequestTopics()
                                    .setName(topic.name())
                                    .setPartitionIndexes(topic.partitionIndexes()));
        }
        return List.of(only);
    }

    /** Never fails: an error of the coordinator becomes the group's. */
    private CompletableFuture<OffsetFetchResponseGroup> fetch(
            GroupCall call, OffsetFetchRequestGroup group, boolean requireStable) {
        boolean byId = OffsetFetchRequest.useTopicIds(call.version());
        CompletableFuture<OffsetFetchResponseGroup> answer =
                group.topics() == null
                        ? coordinator
                                .fetchOffsets(call, group, requireStable)
                                .thenApply(all -> byId ? withIds(all) : all)
                        : fetchNamed(call, group, requireStable, byId);
        return answer.exceptionally(
                failure ->
                        OffsetFetchResponse.groupError(
                                group, call.request().errorOf(failure), call.version()));
    }

    private CompletableFuture<OffsetFetchResponseGroup> fetchNamed(
            GroupCall call, OffsetFetchRequestGroup group, boolean requireStable, boolean byId) {
        List<OffsetFetchResponseTopics> unknown = new ArrayList<>();
        OffsetFetchRequestGroup known =
                new OffsetFetchRequestGroup()
                        .setGroupId(group.groupId())
                        .setMemberId(group.memberId())
                        .setMemberEpoch(group.memberEpoch());
        TopicsImage topics = images.image().topics();
        for (OffsetFetchRequestTopics topic : group.topics()) {
            TopicImage image = byId ? topics.getTopic(topic.topicId()) : null;
            if (byId && image == null) unknown.add(unknownId(topic));
            else known.topics().add(byId ? topic.duplicate().setName(image.name()) : topic);
        }
        return coordinator
                .fetchOffsets(call, known, requireStable)
                .thenApply(fetched -> withUnknown(fetched, unknown));
    }

    private static OffsetFetchResponseGroup withUnknown(
            OffsetFetchResponseGroup fetched, List<OffsetFetchResponseTopics> unknown) {
        if (fetched.errorCode() != Errors.NONE.code() || unknown.isEmpty()) return fetched;
        List<OffsetFetchResponseTopics> topics = new ArrayList<>(fetched.topics());
        topics.addAll(unknown);
        return fetched.setTopics(topics);
    }

    private static OffsetFetchResponseTopics unknownId(OffsetFetchRequestTopics topic) {
        OffsetFetchResponseTopics answer =
                new OffsetFetchResponseTopics().setTopicId(topic.topicId()).setName(topic.name());
        for (int partition : topic.partitionIndexes()) {
            answer.partitions()
                    .add(
                            new OffsetFetchResponsePartitions()
                                    .setPartitionIndex(partition)
                                    .setErrorCode(Errors.UNKNOWN_TOPIC_ID.code())
                                    .setCommittedOffset(OffsetFetchResponse.INVALID_OFFSET)
                                    .setMetadata(OffsetFetchResponse.NO_METADATA)
                                    .setCommittedLeaderEpoch(-1));
        }
        return answer;
    }

    /** All offsets of a group, by id; those of topics that are gone are left out. */
    private OffsetFetchResponseGroup withIds(OffsetFetchResponseGroup all) {
        if (all.errorCode() != Errors.NONE.code()) return all;
        TopicsImage image = images.image().topics();
        List<OffsetFetchResponseTopics> existing = new ArrayList<>();
        for (OffsetFetchResponseTopics topic : all.topics()) {
            TopicImage known = image.getTopic(topic.name());
            if (topic.topicId().equals(Uuid.ZERO_UUID) && known != null) {
                topic.setTopicId(known.id());
            }
            if (!topic.topicId().equals(Uuid.ZERO_UUID)) existing.add(topic);
        }
        return all.setTopics(existing);
    }
}
