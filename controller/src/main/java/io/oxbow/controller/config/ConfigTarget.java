// SPDX-License-Identifier: Apache-2.0
package io.oxbow.controller.config;

import io.oxbow.controller.decide.Refusal;
import java.util.Optional;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.image.MetadataImage;

/** Which resources may have configurations. */
final class ConfigTarget {
    private ConfigTarget() {}

    /** Says why a resource cannot be configured. */
    static Optional<Refusal> check(MetadataImage image, byte typeId, String name) {
        ConfigResource.Type type = ConfigResource.Type.forId(typeId);
        return switch (type) {
            case BROKER -> broker(name);
            case TOPIC -> topic(image, name);
            case GROUP -> named(name, "group");
            case CLIENT_METRICS -> named(name, "client-metrics subscription");
            default ->
                    refuse(
                            Errors.INVALID_REQUEST,
                            "Resources of type "
                                    + (type == ConfigResource.Type.UNKNOWN
                                            ? String.valueOf(typeId)
                                            : type)
                                    + " have no configurations that the controller keeps.");
        };
    }

    private static Optional<Refusal> broker(String name) {
        if (name.isEmpty()) return Optional.empty();
        try {
            if (Integer.parseInt(name) >= 0) return Optional.empty();
        } catch (NumberFormatException notANumber) {
            // Refused below, with the same words.
        }
        return refuse(
                Errors.INVALID_REQUEST,
                "'" + name + "' is not a broker: give its id, or no name for all brokers.");
    }

    private static Optional<Refusal> topic(MetadataImage image, String name) {
        if (name.isEmpty()) {
            return refuse(
                    Errors.INVALID_REQUEST,
                    "Topics have no common configuration of their own: name a topic, or change the"
                            + " default on the brokers.");
        }
        try {
            Topic.validate(name);
        } catch (InvalidTopicException invalid) {
            return refuse(
                    Errors.INVALID_TOPIC_EXCEPTION,
                    "'" + name + "' cannot be a topic's name: " + invalid.getMessage());
        }
        if (image.topics().getTopic(name) != null) return Optional.empty();
        return refuse(
                Errors.UNKNOWN_TOPIC_OR_PARTITION, "There is no topic with name '" + name + "'.");
    }

    private static Optional<Refusal> named(String name, String what) {
        if (!name.isEmpty()) return Optional.empty();
        return refuse(Errors.INVALID_REQUEST, "A " + what + " must be named.");
    }

    private static Optional<Refusal> refuse(Errors error, String message) {
        return Optional.of(new Refusal(error, message));
    }
}
