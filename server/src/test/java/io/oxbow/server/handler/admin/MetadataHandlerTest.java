// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.oxbow.server.doubles.Images;
import io.oxbow.server.doubles.RecordingGateway;
import io.oxbow.server.doubles.RecordingRequest;
import io.oxbow.server.doubles.SimTime;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsResponseData;
import org.apache.kafka.common.message.CreateTopicsResponseData.CreatableTopicResult;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataRequestData.MetadataRequestTopic;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseTopic;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.image.MetadataImage;
import org.junit.jupiter.api.Test;

class MetadataHandlerTest {
    private static final Uuid ORDERS = new Uuid(1, 1);

    private MetadataImage image =
            Images.after(
                    MetadataImage.EMPTY,
                    Images.broker(1, 1, false),
                    Images.broker(2, 2, true),
                    Images.topic("orders", ORDERS),
                    Images.partition(ORDERS, 0, 1, 1, 2),
                    Images.partition(ORDERS, 1, 2, 2, 1));
    private final RecordingGateway controller = new RecordingGateway();
    private final SimTime time = new SimTime();
    private final ImageWaiters waiters = new ImageWaiters(time);
    private boolean autoCreate = true;
    private boolean leads = true;
    private final MetadataHandler handler =
            new MetadataHandler(
                    1,
                    "cluster",
                    () -> image,
                    new TopicCreation(
                            new Forwarding(
                                    controller,
                                    time,
                                    () -> CompletableFuture.completedFuture(true)),
                            waiters,
                            (topicId, index, partition) -> leads && partition.hasLeader(),
                            Map.of(
                                    "__consumer_offsets",
                                    new TopicCreation.InternalTopic(
                                            7, (short) 1, Map.of("cleanup.policy", "compact")))),
                    () -> autoCreate);

    @Test
    void shouldShowOnlyBrokersThatServe() {
        MetadataResponseData answer = ask(13, null);

        assertEquals(1, answer.brokers().size());
        assertEquals("b1", answer.brokers().find(1).host());
        assertEquals(1, answer.controllerId());
        assertEquals("cluster", answer.clusterId());
    }

    @Test
    void shouldNameALeaderThatIsFencedAsNotAvailable() {
        MetadataResponseTopic topic = ask(13, null).topics().find("orders");

        assertEquals(Errors.NONE.code(), topic.partitions().get(0).errorCode());
        assertEquals(1, topic.partitions().get(0).leaderId());
        assertEquals(List.of(2), topic.partitions().get(0).offlineReplicas());
        assertEquals(Errors.LEADER_NOT_AVAILABLE.code(), topic.partitions().get(1).errorCode());
        assertEquals(-1, topic.partitions().get(1).leaderId());
        assertEquals(1, topic.partitions().get(1).leaderEpoch());
    }

    @Test
    void shouldTakeAnEmptyListAsAllInVersionZeroAndAsNoneAfter() {
        assertEquals(1, ask(0, List.of()).topics().size());
        assertEquals(0, ask(1, List.of()).topics().size());
        assertEquals(1, ask(1, null).topics().size());
    }

    @Test
    void shouldFindTopicsById() {
        MetadataResponseData answer =
                ask(
                        12,
                        List.of(
                                // Kafka's clients leave the name empty, others null.
                                new MetadataRequestTopic().setTopicId(ORDERS),
                                new MetadataRequestTopic().setTopicId(new Uuid(9, 9))));

        assertEquals(ORDERS, answer.topics().find("orders").topicId());
        MetadataResponseTopic unknown = answer.topics().find((String) null);
        assertEquals(Errors.UNKNOWN_TOPIC_ID.code(), unknown.errorCode());
        assertNull(unknown.name());
    }

    @Test
    void shouldRefuseIdsBeforeVersionTwelve() {
        RecordingRequest request =
                request(
                        10,
                        List.of(new MetadataRequestTopic().setName(null).setTopicId(ORDERS)),
                        true);
        handler.handle(request);
        assertEquals(Errors.INVALID_REQUEST, request.error());
    }

    @Test
    void shouldAnswerWithTheNewTopicOnceItHasALeader() {
        RecordingRequest request = request(9, names("new"), true);
        handler.handle(request);
        var asked = controller.unanswered(CreateTopicsRequestData.class);
        assertEquals(-1, asked.topics().find("new").numPartitions());

        controller.answer(created("new", Errors.NONE));
        assertFalse(request.answered());
        show("new");

        MetadataResponseTopic topic =
                request.reply(MetadataResponseData.class).topics().find("new");
        assertEquals(Errors.NONE.code(), topic.errorCode());
        assertEquals(1, topic.partitions().getFirst().leaderId());
    }

    @Test
    void shouldWaitUntilTheNewTopicIsLedHere() {
        leads = false;
        RecordingRequest request = request(9, names("new"), true);
        handler.handle(request);
        controller.answer(created("new", Errors.NONE));
        show("new");
        assertFalse(request.answered());

        leads = true;
        waiters.look();
        assertTrue(request.answered());
    }

    @Test
    void shouldNotWaitForEverForANewTopicsLeader() {
        RecordingRequest request = request(9, names("new"), true);
        handler.handle(request);
        controller.answer(created("new", Errors.NONE));
        time.pass(2_000);

        assertEquals(
                Errors.LEADER_NOT_AVAILABLE.code(),
                request.reply(MetadataResponseData.class).topics().find("new").errorCode());
    }

    @Test
    void shouldAskTheControllerOnceForManyClients() {
        RecordingRequest first = request(9, names("new"), true);
        RecordingRequest second = request(9, names("new"), true);
        handler.handle(first);
        handler.handle(second);
        assertEquals(1, controller.requests.size());

        controller.answer(created("new", Errors.NONE));
        show("new");
        assertTrue(first.answered() && second.answered());
    }

    @Test
    void shouldCreateInternalTopicsAsConfigured() {
        handler.handle(request(9, names("__consumer_offsets"), true));

        var topic =
                controller
                        .unanswered(CreateTopicsRequestData.class)
                        .topics()
                        .find("__consumer_offsets");
        assertEquals(7, topic.numPartitions());
        assertEquals("compact", topic.configs().find("cleanup.policy").value());
    }

    @Test
    void shouldNotCreateWhatMayNotBeCreated() {
        assertEquals(unknown(), errorFor(request(9, names("new"), false), "new"));
        autoCreate = false;
        assertEquals(unknown(), errorFor(request(9, names("new"), true), "new"));
        assertEquals(0, controller.requests.size());
    }

    @Test
    void shouldRefuseNamesThatNoTopicCanHave() {
        assertEquals(
                Errors.INVALID_TOPIC_EXCEPTION.code(),
                errorFor(request(9, names("no/way"), true), "no/way"));
        assertEquals(0, controller.requests.size());
    }

    @Test
    void shouldGiveAuthorizedOperationsOnlyWhenAskedFor() {
        assertEquals(
                Integer.MIN_VALUE,
                ask(9, null).topics().find("orders").topicAuthorizedOperations());

        RecordingRequest request = request(9, null, true);
        ((MetadataRequestData) request.body()).setIncludeTopicAuthorizedOperations(true);
        handler.handle(request);
        assertEquals(
                AuthorizedOperations.TOPIC,
                request.reply(MetadataResponseData.class)
                        .topics()
                        .find("orders")
                        .topicAuthorizedOperations());
    }

    private short errorFor(RecordingRequest request, String name) {
        handler.handle(request);
        return request.reply(MetadataResponseData.class).topics().find(name).errorCode();
    }

    private static short unknown() {
        return Errors.UNKNOWN_TOPIC_OR_PARTITION.code();
    }

    private void show(String name) {
        Uuid id = new Uuid(5, 5);
        image = Images.after(image, Images.topic(name, id), Images.partition(id, 0, 1, 1));
        waiters.onImage(image);
    }

    private MetadataResponseData ask(int version, List<MetadataRequestTopic> topics) {
        RecordingRequest request = request(version, topics, true);
        handler.handle(request);
        return request.reply(MetadataResponseData.class);
    }

    private static RecordingRequest request(
            int version, List<MetadataRequestTopic> topics, boolean allowCreation) {
        return new RecordingRequest(
                ApiKeys.METADATA,
                version,
                new MetadataRequestData()
                        .setTopics(topics)
                        .setAllowAutoTopicCreation(allowCreation));
    }

    private static List<MetadataRequestTopic> names(String name) {
        return List.of(new MetadataRequestTopic().setName(name));
    }

    private static CreateTopicsResponseData created(String name, Errors error) {
        CreateTopicsResponseData answer = new CreateTopicsResponseData();
        answer.topics().add(new CreatableTopicResult().setName(name).setErrorCode(error.code()));
        return answer;
    }
}
