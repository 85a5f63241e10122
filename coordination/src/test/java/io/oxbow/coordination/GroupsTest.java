// SPDX-License-Identifier: Apache-2.0
package io.oxbow.coordination;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.oxbow.base.thread.Threads;
import io.oxbow.base.time.Scheduler;
import io.oxbow.base.time.SystemClock;
import io.oxbow.base.time.SystemScheduler;
import io.oxbow.coordination.runtime.SimLeaderLog;
import io.oxbow.metadata.ControllerGateway;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsResponseData;
import org.apache.kafka.common.message.CreateTopicsResponseData.CreatableTopicResult;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestGroup;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestTopics;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseGroup;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.apache.kafka.common.utils.internals.BufferSupplier;
import org.apache.kafka.coordinator.group.GroupCoordinatorConfig;
import org.apache.kafka.coordinator.group.modern.share.ShareGroupConfig;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GroupsTest {
    private static final TopicPartition OFFSETS = new TopicPartition("__consumer_offsets", 0);
    private static final Uuid TOPIC_ID = Uuid.randomUuid();

    private final SimLeaderLog log = new SimLeaderLog(0);
    private final SystemScheduler scheduler = new SystemScheduler();

    /** A hundred times as fast. */
    private final Scheduler hasty =
            new Scheduler() {
                @Override
                public Timer after(long delayMs, Runnable action) {
                    return scheduler.after(delayMs / 100, action);
                }

                @Override
                public Timer every(long periodMs, Runnable action) {
                    return scheduler.every(Math.max(1, periodMs / 100), action);
                }
            };

    private final List<ApiMessage> asked = new ArrayList<>();
    private final CompletableFuture<ApiMessage> controllersAnswer = new CompletableFuture<>();

    @AfterEach
    void stopTimers() {
        scheduler.close();
    }

    private Groups groups() {
        Map<String, Object> properties = new HashMap<>();
        properties.put("offsets.topic.num.partitions", 1);
        properties.put("offsets.topic.replication.factor", (short) 1);
        properties.put("group.coordinator.threads", 1);
        ConfigDef definitions =
                new ConfigDef(GroupCoordinatorConfig.CONFIG_DEF)
                        .define(
                                "message.max.bytes",
                                ConfigDef.Type.INT,
                                1_048_588,
                                ConfigDef.Importance.HIGH,
                                "");
        ShareGroupConfig.CONFIG_DEF.configKeys().values().forEach(definitions::define);
        ControllerGateway controller =
                (context, request) -> {
                    asked.add(request);
                    return controllersAnswer;
                };
        return Groups.create(
                new Groups.Surroundings(
                        1,
                        new AbstractConfig(definitions, properties, false),
                        () -> MetadataImage.EMPTY,
                        partition -> Optional.of(log),
                        controller,
                        SystemClock.INSTANCE,
                        hasty,
                        Threads.SYSTEM));
    }

    private static RequestContext call(ApiKeys key) throws Exception {
        return new RequestContext(
                new RequestHeader(key, key.latestVersion(), "test", 1),
                "1",
                java.net.InetAddress.getLoopbackAddress(),
                KafkaPrincipal.ANONYMOUS,
                org.apache.kafka.common.network.ListenerName.normalised("PLAINTEXT"),
                SecurityProtocol.PLAINTEXT,
                org.apache.kafka.common.network.ClientInformation.EMPTY,
                false);
    }

    private static Errors commit(Groups groups, long offset) throws Exception {
        OffsetCommitRequestData request =
                new OffsetCommitRequestData()
                        .setGroupId("g")
                        .setGenerationIdOrMemberEpoch(-1)
                        .setTopics(
                                List.of(
                                        new OffsetCommitRequestData.OffsetCommitRequestTopic()
                                                .setName("t")
                                                .setTopicId(TOPIC_ID)
                                                .setPartitions(
                                                        List.of(
                                                                new OffsetCommitRequestData
                                                                                .OffsetCommitRequestPartition()
                                                                        .setCommittedOffset(
                                                                                offset)))));
        return Errors.forCode(
                groups.coordinator()
                        .commitOffsets(
                                call(ApiKeys.OFFSET_COMMIT), request, BufferSupplier.NO_CACHING)
                        .get(60, TimeUnit.SECONDS)
                        .topics()
                        .get(0)
                        .partitions()
                        .get(0)
                        .errorCode());
    }

    private static OffsetFetchResponseGroup fetch(Groups groups) throws Exception {
        OffsetFetchRequestGroup request =
                new OffsetFetchRequestGroup()
                        .setGroupId("g")
                        .setTopics(
                                List.of(
                                        new OffsetFetchRequestTopics()
                                                .setName("t")
                                                .setTopicId(TOPIC_ID)
                                                .setPartitionIndexes(List.of(0))));
        return groups.coordinator()
                .fetchOffsets(call(ApiKeys.OFFSET_FETCH), request, true)
                .get(60, TimeUnit.SECONDS);
    }

    /** Asks until the coordinator has loaded its partition; the library has no other sign. */
    private static OffsetFetchResponseGroup fetchOnceLoaded(Groups groups) throws Exception {
        OffsetFetchResponseGroup answer = fetch(groups);
        while (answer.errorCode() == Errors.COORDINATOR_LOAD_IN_PROGRESS.code()) {
            Thread.onSpinWait();
            answer = fetch(groups);
        }
        return answer;
    }

    private Groups leadingGroups() {
        Groups groups = groups();
        groups.start();
        MetadataDelta delta = new MetadataDelta.Builder().setImage(MetadataImage.EMPTY).build();
        groups.onImage(delta, MetadataImage.EMPTY);
        groups.onLeading(OFFSETS, 0);
        return groups;
    }

    @Test
    void shouldRefuseGroupsOfAPartitionThatItDoesNotLead() throws Exception {
        try (Groups groups = groups()) {
            groups.start();
            assertEquals(Errors.NOT_COORDINATOR.code(), fetch(groups).errorCode());
        }
    }

    @Test
    void shouldKeepCommittedOffsetsInTheLog() throws Exception {
        try (Groups groups = leadingGroups()) {
            assertEquals(-1, offset(fetchOnceLoaded(groups)));
            assertEquals(Errors.NONE, commit(groups, 42));
            assertEquals(42, offset(fetch(groups)));
        }
        try (Groups next = leadingGroups()) {
            assertEquals(42, offset(fetchOnceLoaded(next)));
        }
    }

    @Test
    void shouldAnswerNotCoordinatorAfterResigning() throws Exception {
        try (Groups groups = leadingGroups()) {
            fetchOnceLoaded(groups);
            groups.onResigned(OFFSETS, 1);
            OffsetFetchResponseGroup answer = fetch(groups);
            while (answer.errorCode() == Errors.NONE.code()) answer = fetch(groups);
            assertEquals(Errors.NOT_COORDINATOR.code(), answer.errorCode());
        }
    }

    @Test
    void shouldAskForTheOffsetsTopicOnceAtATime() {
        try (Groups groups = groups()) {
            groups.createOffsetsTopic();
            groups.createOffsetsTopic();
            assertEquals(1, asked.size());
            CreateTopicsRequestData.CreatableTopic topic =
                    ((CreateTopicsRequestData) asked.get(0)).topics().find("__consumer_offsets");
            assertEquals(1, topic.numPartitions());
            assertEquals(1, topic.replicationFactor());
            assertEquals("compact", topic.configs().find("cleanup.policy").value());
            assertEquals("producer", topic.configs().find("compression.type").value());
            assertEquals("104857600", topic.configs().find("segment.bytes").value());

            CreateTopicsResponseData refusal = new CreateTopicsResponseData();
            refusal.topics()
                    .add(
                            new CreatableTopicResult()
                                    .setName("__consumer_offsets")
                                    .setErrorCode(Errors.INVALID_REPLICATION_FACTOR.code()));
            controllersAnswer.complete(refusal);
            groups.createOffsetsTopic();
            assertEquals(2, asked.size());
        }
    }

    @Test
    void shouldLoadAgainAfterADiskHiccup() throws Exception {
        try (Groups groups = leadingGroups()) {
            fetchOnceLoaded(groups);
            assertEquals(Errors.NONE, commit(groups, 42));
        }
        log.becomeUnavailable("hiccup");
        try (Groups groups = leadingGroups()) {
            OffsetFetchResponseGroup answer = fetchOnceLoaded(groups);
            assertEquals(Errors.NOT_COORDINATOR.code(), answer.errorCode());
            log.becomeUnavailable(null);
            while (answer.errorCode() != Errors.NONE.code()) answer = fetchOnceLoaded(groups);
            assertEquals(42, offset(answer));
        }
    }

    private static long offset(OffsetFetchResponseGroup answer) {
        assertEquals(Errors.NONE.code(), answer.errorCode());
        return answer.topics().get(0).partitions().get(0).committedOffset();
    }
}
