// SPDX-License-Identifier: Apache-2.0
package io.oxbow.controller;

import static org.apache.kafka.common.config.ConfigResource.Type.TOPIC;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.oxbow.controller.decide.ControllerConfig;
import io.oxbow.controller.decide.Decision;
import io.oxbow.controller.decide.Situation;
import io.oxbow.controller.topic.TopicCreation;
import io.oxbow.controller.topic.TopicDeletion;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopic;
import org.apache.kafka.common.message.CreateTopicsResponseData;
import org.apache.kafka.common.message.DeleteTopicsRequestData;
import org.apache.kafka.common.message.DeleteTopicsRequestData.DeleteTopicState;
import org.apache.kafka.common.message.DeleteTopicsResponseData;
import org.apache.kafka.common.metadata.BeginTransactionRecord;
import org.apache.kafka.common.metadata.ConfigRecord;
import org.apache.kafka.common.metadata.EndTransactionRecord;
import org.apache.kafka.common.metadata.RemoveTopicRecord;
import org.apache.kafka.common.metadata.TopicRecord;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.MetadataProvenance;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.apache.kafka.server.common.MetadataVersion;
import org.junit.jupiter.api.Test;

/** What GoldenRecordsTest cannot ask a Kafka client for, and pure calls of the deciders. */
class TopicsTest {
    private final SimController controller = SimController.withBrokers(1, 2);

    private Situation situation(long seed, boolean mayDelete) {
        ControllerConfig config = SimController.config(MetadataVersion.latestProduction());
        ControllerConfig changed =
                new ControllerConfig(
                        config.nodeId(),
                        config.clusterId(),
                        config.bootstrap(),
                        config.features(),
                        new ControllerConfig.Topics(4, (short) 2, 1, mayDelete),
                        config.timing());
        return new Situation(
                controller.image(), 100, changed, new SimConfigRules(), new Random(seed));
    }

    @Test
    void shouldDecideTheSameFromTheSameSituation() {
        CreateTopicsRequestData request = Requests.createTopics(Requests.topic("t", 9, 2));
        assertEquals(
                TopicCreation.decide(situation(7, true), request).records(),
                TopicCreation.decide(situation(7, true), request).records());
    }

    @Test
    void shouldUseDefaultsAndListConfigurations() {
        CreateTopicsResponseData reply =
                TopicCreation.decide(
                                situation(1, true),
                                Requests.createTopics(
                                        Requests.with(
                                                Requests.topic("t", -1, -1), "retention.ms", "5")))
                        .reply();
        var topic = reply.topics().find("t");
        assertEquals(4, topic.numPartitions());
        assertEquals(2, topic.replicationFactor());
        assertTrue(
                topic.configs().stream()
                        .anyMatch(
                                config ->
                                        config.name().equals("retention.ms")
                                                && config.value().equals("5")));
    }

    @Test
    void shouldCheckTheNamesOfOneRequestAgainstEachOther() {
        CreateTopicsRequestData request =
                Requests.createTopics(
                        Requests.topic("a.b", 1, 1),
                        Requests.topic("a_b", 1, 1),
                        Requests.topic("twice", 1, 1),
                        Requests.topic("twice", 2, 1),
                        Requests.topic("good", 1, 1));
        CreateTopicsResponseData reply = controller.send(request);
        assertEquals(0, reply.topics().find("a.b").errorCode());
        assertEquals(Errors.INVALID_TOPIC_EXCEPTION.code(), reply.topics().find("a_b").errorCode());
        assertEquals(Errors.INVALID_REQUEST.code(), reply.topics().find("twice").errorCode());
        assertEquals(4, reply.topics().size());
        assertNotNull(controller.image().topics().getTopic("good"));
    }

    @Test
    void shouldRefuseNumbersBesideAnAssignment() {
        CreatableTopic topic = Requests.topic("t", Map.of(0, List.of(1))).setNumPartitions(1);
        assertEquals(
                Errors.INVALID_REQUEST,
                Replies.firstError(controller.send(Requests.createTopics(topic))));
    }

    @Test
    void shouldRefuseAnAssignmentWithoutALiveBroker() {
        controller.send(controller.heartbeatOf(2).setWantFence(true));
        assertEquals(
                Errors.INVALID_REPLICA_ASSIGNMENT,
                Replies.firstError(
                        controller.send(
                                Requests.createTopics(
                                        Requests.topic("t", Map.of(0, List.of(2)))))));
    }

    @Test
    void shouldDeleteATopicNamedTwiceInDifferentWaysOnce() {
        var id = controller.createTopic("t", List.of(List.of(1)));
        DeleteTopicsRequestData request =
                new DeleteTopicsRequestData()
                        .setTopics(
                                List.of(
                                        new DeleteTopicState().setName("t"),
                                        new DeleteTopicState().setName(null).setTopicId(id)));
        Decision<DeleteTopicsResponseData> decision =
                TopicDeletion.decide(situation(1, true), request);
        assertEquals(1, decision.records().size());
        List<Short> errors =
                decision.reply().responses().stream().map(each -> each.errorCode()).toList();
        assertEquals(List.of((short) 0, Errors.INVALID_REQUEST.code()), errors);
    }

    @Test
    void shouldDeleteNothingWhereThatIsForbidden() {
        controller.createTopic("t", List.of(List.of(1)));
        Decision<DeleteTopicsResponseData> decision =
                TopicDeletion.decide(situation(1, false), Requests.delete("t"));
        assertTrue(decision.records().isEmpty());
        assertEquals(
                Errors.TOPIC_DELETION_DISABLED.code(),
                decision.reply().responses().iterator().next().errorCode());
    }

    /** A reader may apply any number of appends at once, and Kafka's forgets a part then. */
    @Test
    void shouldLeaveNoSettingsToALaterTopicOfThatName() {
        controller.createTopic("t", List.of(List.of(1)));
        var configured =
                controller.ask(Requests.configure(TOPIC, "t", Requests.set("retention.ms", "5")));
        var deleted = controller.ask(Requests.delete("t"));
        var created =
                controller.ask(
                        Requests.createTopics(
                                Requests.with(Requests.topic("t", 1, 1), "segment.bytes", "99")));
        controller.settle();
        for (var reply : List.of(configured, deleted, created)) {
            assertEquals(Errors.NONE, Replies.firstError(reply.join()));
        }

        MetadataDelta delta = new MetadataDelta.Builder().build();
        for (ApiMessageAndVersion record : controller.raft.records()) {
            if (!isOfTransaction(record)) delta.replay(record.message());
        }
        MetadataImage image = delta.apply(MetadataProvenance.EMPTY);
        ConfigResource resource = new ConfigResource(TOPIC, "t");
        assertEquals(Map.of("segment.bytes", "99"), image.configs().configMapForResource(resource));
        assertEquals(controller.image().configs(), image.configs());
    }

    private static boolean isOfTransaction(ApiMessageAndVersion record) {
        return record.message() instanceof BeginTransactionRecord
                || record.message() instanceof EndTransactionRecord;
    }

    @Test
    void shouldReadADeletionThatNamesNoSettings() {
        Uuid id = Uuid.randomUuid();
        List<ApiMessage> records =
                List.of(
                        new TopicRecord().setName("t").setTopicId(id),
                        new ConfigRecord()
                                .setResourceType(TOPIC.id())
                                .setResourceName("t")
                                .setName("retention.ms")
                                .setValue("5"),
                        new RemoveTopicRecord().setTopicId(id));
        RecordReplay replay =
                RecordReplay.EMPTY.replay(
                        records.stream().map(Decision::record).toList(), MetadataProvenance.EMPTY);
        assertTrue(replay.image().configs().resourceData().isEmpty());
    }
}
