// SPDX-License-Identifier: Apache-2.0
package io.oxbow.controller.topic;

import io.oxbow.controller.decide.Refusal;
import java.util.Optional;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.image.TopicsImage;

/**
 * What a topic may be called. Two names that differ only in '.' and '_' collide, because metric
 * names write both as '_'.
 */
final class TopicNames {
    private TopicNames() {}

    /** Says why a new topic may not have this name. */
    static Optional<Refusal> check(TopicsImage topics, String name) {
        if (name.equals(Topic.CLUSTER_METADATA_TOPIC_NAME)) {
            return refuse(
                    Errors.INVALID_REQUEST,
                    "Topic '" + name + "' is the cluster's own log and cannot be created.");
        }
        try {
            Topic.validate(name);
        } catch (InvalidTopicException invalid) {
            return refuse(
                    Errors.INVALID_TOPIC_EXCEPTION,
                    "'"
                            + name
                            + "' cannot be a topic's name: "
                            + invalid.getMessage()
                            + ". Use 1 to 249 letters, digits, '.', '_' and '-'.");
        }
        if (topics.getTopic(name) != null) {
            return refuse(Errors.TOPIC_ALREADY_EXISTS, "Topic '" + name + "' already exists.");
        }
        return collision(topics, name);
    }

    private static Optional<Refusal> collision(TopicsImage topics, String name) {
        if (!Topic.hasCollisionChars(name)) return Optional.empty();
        for (String other : topics.topicsByName().keySet()) {
            if (collide(name, other)) return Optional.of(collisionOf(name, other));
        }
        return Optional.empty();
    }

    /** True if the names are the same when '.' is read as '_'; looked at for every topic. */
    static boolean collide(String name, String other) {
        if (name.length() != other.length()) return false;
        for (int i = 0; i < name.length(); i++) {
            if (unified(name.charAt(i)) != unified(other.charAt(i))) return false;
        }
        return true;
    }

    private static char unified(char letter) {
        return letter == '.' ? '_' : letter;
    }

    static Refusal collisionOf(String name, String other) {
        return new Refusal(
                Errors.INVALID_TOPIC_EXCEPTION,
                "Topic '"
                        + name
                        + "' would collide with topic '"
                        + other
                        + "': metric names cannot tell '.' from '_'. Choose another name.");
    }

    private static Optional<Refusal> refuse(Errors error, String message) {
        return Optional.of(new Refusal(error, message));
    }
}
