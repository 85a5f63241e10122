// SPDX-License-Identifier: Apache-2.0
package io.oxbow.controller.topic;

import io.oxbow.controller.decide.Decision;
import io.oxbow.controller.decide.Situation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.DeleteTopicsRequestData;
import org.apache.kafka.common.message.DeleteTopicsRequestData.DeleteTopicState;
import org.apache.kafka.common.message.DeleteTopicsResponseData;
import org.apache.kafka.common.message.DeleteTopicsResponseData.DeletableTopicResult;
import org.apache.kafka.common.metadata.RemoveTopicRecord;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.image.TopicImage;
import org.apache.kafka.server.common.ApiMessageAndVersion;

/**
 * Decides DeleteTopics, by name or by id. One record takes a topic with its partitions and
 * configurations away; each setting is taken away once more after it, because a reader that applies
 * the setting and the deletion together (Kafka's {@code ConfigurationsDelta}) would keep it, and a
 * topic made later by that name would have it.
 */
public final class TopicDeletion {
    private TopicDeletion() {}

    public static Decision<DeleteTopicsResponseData> decide(
            Situation situation, DeleteTopicsRequestData request) {
        List<DeleteTopicState> wanted = new ArrayList<>(request.topics());
        for (String name : request.topicNames()) wanted.add(new DeleteTopicState().setName(name));
        Map<DeleteTopicState, Integer> times = new LinkedHashMap<>();
        for (DeleteTopicState topic : wanted) times.merge(topic, 1, Integer::sum);

        DeleteTopicsResponseData response = new DeleteTopicsResponseData();
        Map<Uuid, List<ApiMessageAndVersion>> records = new LinkedHashMap<>();
        times.forEach(
                (topic, count) ->
                        response.responses().add(delete(situation, topic, count, records)));
        return Decision.divisible(
                records.values().stream().flatMap(List::stream).toList(), response);
    }

    private static DeletableTopicResult delete(
            Situation situation,
            DeleteTopicState wanted,
            int count,
            Map<Uuid, List<ApiMessageAndVersion>> records) {
        boolean byId = !wanted.topicId().equals(Uuid.ZERO_UUID);
        DeletableTopicResult result =
                new DeletableTopicResult().setName(wanted.name()).setTopicId(wanted.topicId());
        if (byId == (wanted.name() != null)) {
            return refuse(
                    result,
                    Errors.INVALID_REQUEST,
                    "Give either the name or the id of the topic to delete.");
        }
        if (!situation.config().topics().mayBeDeleted()) {
            return refuse(
                    result,
                    Errors.TOPIC_DELETION_DISABLED,
                    "Topics cannot be deleted: delete.topic.enable=false on the controller.");
        }
        String what = byId ? "id " + wanted.topicId() : "name '" + wanted.name() + "'";
        if (count > 1) {
            return refuse(
                    result,
                    Errors.INVALID_REQUEST,
                    "The request has the topic with " + what + " more than once.");
        }
        TopicImage topic =
                byId
                        ? situation.image().topics().getTopic(wanted.topicId())
                        : situation.image().topics().getTopic(wanted.name());
        if (topic == null) {
            Errors error = byId ? Errors.UNKNOWN_TOPIC_ID : Errors.UNKNOWN_TOPIC_OR_PARTITION;
            return refuse(result, error, "There is no topic with " + what + ".");
        }
        if (records.putIfAbsent(topic.id(), removal(situation, topic)) != null) {
            return refuse(
                    result,
                    Errors.INVALID_REQUEST,
                    "The request names topic '" + topic.name() + "' by its name and by its id.");
        }
        return result.setName(topic.name()).setTopicId(topic.id());
    }

    private static List<ApiMessageAndVersion> removal(Situation situation, TopicImage topic) {
        List<ApiMessageAndVersion> records = new ArrayList<>();
        records.add(Decision.record(new RemoveTopicRecord().setTopicId(topic.id())));
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic.name());
        for (String key : situation.image().configs().configMapForResource(resource).keySet()) {
            records.add(Decision.setting(resource, key, null));
        }
        return records;
    }

    private static DeletableTopicResult refuse(
            DeletableTopicResult result, Errors error, String message) {
        return result.setErrorCode(error.code()).setErrorMessage(message);
    }
}
