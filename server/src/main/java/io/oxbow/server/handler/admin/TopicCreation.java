// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.admin;

import io.oxbow.server.api.Request;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopic;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopicConfig;
import org.apache.kafka.common.message.CreateTopicsResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.TopicImage;
import org.apache.kafka.metadata.PartitionRegistration;

/**
 * Makes topics that clients name before they exist ({@code auto.create.topics.enable}), and the
 * broker's internal topics when they are first needed. Any thread; never blocks.
 *
 * <p>Kafka answers at once and lets the client ask again; we answer when the new topic has leaders
 * in this node's image, or after {@link #VISIBLE_WITHIN_MS}, so that the first answer is of use.
 */
public final class TopicCreation {
    private static final long VISIBLE_WITHIN_MS = 2_000;
    private static final int CREATE_TIMEOUT_MS = 30_000;

    /**
     * What the broker's configuration says of an internal topic.
     *
     * @param configs of the topic
     */
    public record InternalTopic(
            int partitions, short replicationFactor, Map<String, String> configs) {}

    private final Forwarding forwarding;
    private final ImageWaiters images;
    private final PartitionReadiness ready;
    private final Map<String, InternalTopic> internalTopics;

    /** Tells whether a partition's leader serves, as far as this broker can know. */
    @FunctionalInterface
    public interface PartitionReadiness {
        boolean test(Uuid topicId, int index, PartitionRegistration partition);
    }

    /** Creations under way, so that many clients at once ask the controller once. */
    private final Map<String, CompletableFuture<Errors>> underWay = new HashMap<>();

    /**
     * @param ready whether clients may use a partition of the image now
     */
    public TopicCreation(
            Forwarding forwarding,
            ImageWaiters images,
            PartitionReadiness ready,
            Map<String, InternalTopic> internalTopics) {
        this.forwarding = forwarding;
        this.images = images;
        this.ready = ready;
        this.internalTopics = Map.copyOf(internalTopics);
    }

    /**
     * Creates the topics; completes with the error that each has for a client. NONE: it is there.
     */
    public CompletableFuture<Map<String, Errors>> create(
            Request request, Collection<String> names) {
        Map<String, Errors> results = new HashMap<>();
        CompletableFuture<?>[] each =
                names.stream()
                        .map(
                                name ->
                                        create(request, name)
                                                .thenAccept(
                                                        error -> {
                                                            synchronized (results) {
                                                                results.put(name, error);
                                                            }
                                                        }))
                        .toArray(CompletableFuture[]::new);
        return CompletableFuture.allOf(each).thenApply(done -> results);
    }

    private CompletableFuture<Errors> create(Request request, String name) {
        if (!Topic.isValid(name)) {
            return CompletableFuture.completedFuture(Errors.INVALID_TOPIC_EXCEPTION);
        }
        CompletableFuture<Errors> mine = new CompletableFuture<>();
        // A lock for a few map operations: asked by any network thread, answered on any.
        synchronized (underWay) {
            CompletableFuture<Errors> others = underWay.putIfAbsent(name, mine);
            if (others != null) return others;
        }
        // Whatever ask() throws must come out here: while it is under way, others wait for it.
        var _ =
                CompletableFuture.completedFuture(name)
                        .thenCompose(topic -> ask(request, topic))
                        .whenComplete(
                                (error, failure) -> {
                                    synchronized (underWay) {
                                        underWay.remove(name);
                                    }
                                    mine.complete(
                                            failure == null ? error : Errors.LEADER_NOT_AVAILABLE);
                                });
        return mine;
    }

    private CompletableFuture<Errors> ask(Request request, String name) {
        CreateTopicsRequestData body =
                new CreateTopicsRequestData().setTimeoutMs(CREATE_TIMEOUT_MS);
        body.topics().add(creatable(name));
        return forwarding
                .send(request, body)
                .thenCompose(
                        answer -> {
                            Errors error = error((CreateTopicsResponseData) answer, name);
                            if (error != Errors.NONE && error != Errors.TOPIC_ALREADY_EXISTS) {
                                return CompletableFuture.completedFuture(forClient(error));
                            }
                            return images.until(image -> hasLeaders(image, name), VISIBLE_WITHIN_MS)
                                    .thenApply(
                                            seen ->
                                                    seen
                                                            ? Errors.NONE
                                                            : Errors.LEADER_NOT_AVAILABLE);
                        });
    }

    private CreatableTopic creatable(String name) {
        CreatableTopic topic = new CreatableTopic().setName(name);
        InternalTopic internal = internalTopics.get(name);
        if (internal == null) return topic.setNumPartitions(-1).setReplicationFactor((short) -1);
        topic.setNumPartitions(internal.partitions())
                .setReplicationFactor(internal.replicationFactor());
        internal.configs()
                .forEach(
                        (key, value) ->
                                topic.configs()
                                        .add(
                                                new CreatableTopicConfig()
                                                        .setName(key)
                                                        .setValue(value)));
        return topic;
    }

    private static Errors error(CreateTopicsResponseData answer, String name) {
        var result = answer.topics().find(name);
        return result == null ? Errors.UNKNOWN_SERVER_ERROR : Errors.forCode(result.errorCode());
    }

    /**
     * Clients of Metadata give up on what they do not expect there: those are told to ask again.
     */
    private static Errors forClient(Errors error) {
        return switch (error) {
            case INVALID_TOPIC_EXCEPTION,
                    INVALID_REPLICATION_FACTOR,
                    TOPIC_AUTHORIZATION_FAILED,
                    POLICY_VIOLATION ->
                    error;
            default -> Errors.LEADER_NOT_AVAILABLE;
        };
    }

    private boolean hasLeaders(MetadataImage image, String name) {
        TopicImage topic = image.topics().getTopic(name);
        return topic != null
                && topic.partitions().entrySet().stream()
                        .allMatch(each -> ready.test(topic.id(), each.getKey(), each.getValue()));
    }
}
