// SPDX-License-Identifier: Apache-2.0
package io.oxbow.coordination;

import io.oxbow.metadata.OwnQuestions;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopic;
import org.apache.kafka.common.message.CreateTopicsResponseData;
import org.apache.kafka.common.message.CreateTopicsResponseData.CreatableTopicResult;
import org.apache.kafka.common.protocol.Errors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates the topics that coordinators keep their state in, when somebody first needs them. A topic
 * is asked for once at a time; clients are told to come back, and find it by the metadata. A
 * refusal (e.g. a replication factor larger than the cluster) is logged once, not at every client's
 * retry. Any thread; never blocks.
 */
public final class InternalTopics {
    private static final Logger log = LoggerFactory.getLogger(InternalTopics.class);
    private static final int TIMEOUT_MS = 30_000;

    private final OwnQuestions controller;

    // Concurrent maps: network threads ask, the gateway's thread answers.
    private final ConcurrentHashMap<String, Boolean> asked = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, String> lastRefusal = new ConcurrentHashMap<>();

    InternalTopics(OwnQuestions controller) {
        this.controller = controller;
    }

    /** Asks the controller for those of {@code topics} that it is not being asked for already. */
    public void create(Collection<CreatableTopic> topics) {
        List<CreatableTopic> wanted =
                topics.stream()
                        .filter(topic -> asked.putIfAbsent(topic.name(), true) == null)
                        .toList();
        if (wanted.isEmpty()) return;
        CreateTopicsRequestData request = new CreateTopicsRequestData().setTimeoutMs(TIMEOUT_MS);
        wanted.forEach(topic -> request.topics().add(topic.duplicate()));
        var _ =
                controller
                        .ask(() -> request, CreateTopicsResponseData.class, TIMEOUT_MS)
                        .whenComplete(
                                (response, failure) -> {
                                    if (failure == null) report(response);
                                    else
                                        wanted.forEach(
                                                topic -> refused(topic.name(), failure.toString()));
                                    wanted.forEach(topic -> asked.remove(topic.name()));
                                });
    }

    private void report(CreateTopicsResponseData response) {
        for (CreatableTopicResult result : response.topics()) {
            Errors error = Errors.forCode(result.errorCode());
            if (error == Errors.NONE) {
                lastRefusal.remove(result.name());
                log.info("Created {}", result.name());
            } else if (error != Errors.TOPIC_ALREADY_EXISTS) {
                refused(result.name(), error + ": " + result.errorMessage());
            }
        }
    }

    private void refused(String topic, String why) {
        if (why.equals(lastRefusal.put(topic, why))) return;
        log.warn(
                "{} could not be created ({}); it is tried again when a client asks; if the cluster"
                        + " has fewer brokers than its replication factor, lower that"
                        + " (offsets.topic.replication.factor)",
                topic,
                why);
    }
}
