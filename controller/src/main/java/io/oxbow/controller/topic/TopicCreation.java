// SPDX-License-Identifier: Apache-2.0
package io.oxbow.controller.topic;

import io.oxbow.controller.decide.Decision;
import io.oxbow.controller.decide.Outcome;
import io.oxbow.controller.decide.Refusal;
import io.oxbow.controller.decide.Situation;
import io.oxbow.controller.placement.ManualAssignment;
import io.oxbow.controller.placement.ReplicaPlacer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableReplicaAssignment;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopic;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopicConfig;
import org.apache.kafka.common.message.CreateTopicsResponseData;
import org.apache.kafka.common.message.CreateTopicsResponseData.CreatableTopicResult;
import org.apache.kafka.common.metadata.TopicRecord;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.CreateTopicsRequest;
import org.apache.kafka.server.common.ApiMessageAndVersion;

/** Decides CreateTopics. Each topic stands for itself: one refusal leaves the others be. */
public final class TopicCreation {
    /** Most partitions that one request may make, so that they fit one append. */
    static final int MAX_PARTITIONS = 10_000;

    private final Situation situation;
    private final CreateTopicsRequestData request;
    private final Map<String, Integer> timesNamed = new HashMap<>();
    private final List<String> created = new ArrayList<>();
    private final List<ApiMessageAndVersion> records = new ArrayList<>();

    private TopicCreation(Situation situation, CreateTopicsRequestData request) {
        this.situation = situation;
        this.request = request;
        for (CreatableTopic topic : request.topics()) {
            timesNamed.merge(topic.name(), 1, Integer::sum);
        }
    }

    /** Decides one request; with {@code validateOnly} the reply is the same, without records. */
    public static Decision<CreateTopicsResponseData> decide(
            Situation situation, CreateTopicsRequestData request) {
        return new TopicCreation(situation, request).decide();
    }

    private Decision<CreateTopicsResponseData> decide() {
        CreateTopicsResponseData response = new CreateTopicsResponseData();
        boolean tooMany = partitionsWanted() > MAX_PARTITIONS;
        for (CreatableTopic topic : request.topics()) {
            if (response.topics().find(topic.name()) != null) continue;
            Outcome<CreatableTopicResult> outcome = tooMany ? tooMany() : create(topic);
            response.topics()
                    .add(
                            switch (outcome) {
                                case Outcome.Accepted<CreatableTopicResult>(var result) -> result;
                                case Outcome.Refused<CreatableTopicResult>(var refusal) ->
                                        new CreatableTopicResult()
                                                .setName(topic.name())
                                                .setErrorCode(refusal.code())
                                                .setErrorMessage(refusal.message());
                            });
        }
        return new Decision<>(request.validateOnly() ? List.of() : records, response);
    }

    private long partitionsWanted() {
        long sum = 0;
        for (CreatableTopic topic : request.topics()) {
            int byHand = topic.assignments().size();
            sum += byHand > 0 ? byHand : Math.max(0, partitions(topic));
        }
        return sum;
    }

    private static <T> Outcome<T> tooMany() {
        return Outcome.refuse(
                Errors.POLICY_VIOLATION,
                "One request may create at most "
                        + MAX_PARTITIONS
                        + " partitions. Ask for fewer at a time.");
    }

    private Outcome<CreatableTopicResult> create(CreatableTopic topic) {
        if (timesNamed.get(topic.name()) > 1) {
            return Outcome.refuse(
                    Errors.INVALID_REQUEST,
                    "The request names topic '" + topic.name() + "' more than once.");
        }
        Optional<Refusal> badName = checkName(topic.name());
        if (badName.isPresent()) return new Outcome.Refused<>(badName.get());
        return configs(topic)
                .then(configs -> assign(topic).then(parts -> add(topic, configs, parts)));
    }

    private Optional<Refusal> checkName(String name) {
        for (String other : created) {
            if (TopicNames.collide(name, other)) {
                return Optional.of(TopicNames.collisionOf(name, other));
            }
        }
        return TopicNames.check(situation.image().topics(), name);
    }

    private Outcome<Map<String, String>> configs(CreatableTopic topic) {
        TreeMap<String, String> configs = new TreeMap<>();
        for (CreatableTopicConfig config : topic.configs()) {
            if (config.value() == null) {
                return Outcome.refuse(
                        Errors.INVALID_CONFIG,
                        "Configuration '"
                                + config.name()
                                + "' of topic '"
                                + topic.name()
                                + "' has no value. Leave it out to have the default.");
            }
            configs.put(config.name(), config.value());
        }
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic.name());
        Optional<Refusal> refusal =
                situation.rules().check(resource, configs, List.copyOf(configs.keySet()));
        return refusal.isPresent() ? new Outcome.Refused<>(refusal.get()) : Outcome.of(configs);
    }

    private Outcome<List<List<Integer>>> assign(CreatableTopic topic) {
        if (!topic.assignments().isEmpty()) return manual(topic);
        int partitions = partitions(topic);
        int replicas = replicationFactor(topic);
        if (replicas < 1) {
            return Outcome.refuse(
                    Errors.INVALID_REPLICATION_FACTOR,
                    "A replication factor of "
                            + replicas
                            + " is not possible: give 1 or more, or -1 for the default.");
        }
        if (partitions < 1) {
            return Outcome.refuse(
                    Errors.INVALID_PARTITIONS,
                    partitions
                            + " partitions are not possible: give 1 or more, or -1 for the"
                            + " default.");
        }
        return ReplicaPlacer.place(situation, 0, partitions, replicas);
    }

    private Outcome<List<List<Integer>>> manual(CreatableTopic topic) {
        if (topic.replicationFactor() != CreateTopicsRequest.NO_REPLICATION_FACTOR
                || topic.numPartitions() != CreateTopicsRequest.NO_NUM_PARTITIONS) {
            return Outcome.refuse(
                    Errors.INVALID_REQUEST,
                    "With a replica assignment the number of partitions and the replication factor"
                            + " must both be -1: the assignment says them.");
        }
        TreeMap<Integer, List<Integer>> byId = new TreeMap<>();
        for (CreatableReplicaAssignment assignment : topic.assignments()) {
            byId.put(assignment.partitionIndex(), assignment.brokerIds());
        }
        if (byId.firstKey() != 0
                || byId.lastKey() != byId.size() - 1
                || byId.size() != topic.assignments().size()) {
            return Outcome.refuse(
                    Errors.INVALID_REPLICA_ASSIGNMENT,
                    "The replica assignment must name the partitions 0, 1, 2, ... once each; it"
                            + " names "
                            + byId.keySet());
        }
        int replicationFactor = -1;
        for (List<Integer> replicas : byId.values()) {
            Optional<Refusal> bad = ManualAssignment.check(situation, replicas, replicationFactor);
            if (bad.isPresent()) return new Outcome.Refused<>(bad.get());
            replicationFactor = replicas.size();
        }
        return Outcome.of(List.copyOf(byId.values()));
    }

    private Outcome<CreatableTopicResult> add(
            CreatableTopic topic, Map<String, String> configs, List<List<Integer>> assignment) {
        Uuid id = situation.newTopicId();
        List<ApiMessageAndVersion> added = new ArrayList<>();
        added.add(Decision.record(new TopicRecord().setName(topic.name()).setTopicId(id)));
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic.name());
        configs.forEach((key, value) -> added.add(Decision.setting(resource, key, value)));
        for (int partition = 0; partition < assignment.size(); partition++) {
            var record = NewPartition.record(situation, id, partition, assignment.get(partition));
            switch (record) {
                case Outcome.Accepted<ApiMessageAndVersion>(var value) -> added.add(value);
                case Outcome.Refused<ApiMessageAndVersion>(var refusal) -> {
                    return new Outcome.Refused<>(refusal);
                }
            }
        }
        records.addAll(added);
        created.add(topic.name());
        return Outcome.of(
                new CreatableTopicResult()
                        .setName(topic.name())
                        .setTopicId(id)
                        .setNumPartitions(assignment.size())
                        .setReplicationFactor((short) assignment.getFirst().size())
                        .setConfigs(situation.rules().describeTopic(situation.image(), configs)));
    }

    private int partitions(CreatableTopic topic) {
        return topic.numPartitions() == CreateTopicsRequest.NO_NUM_PARTITIONS
                ? situation.config().topics().partitions()
                : topic.numPartitions();
    }

    private int replicationFactor(CreatableTopic topic) {
        return topic.replicationFactor() == CreateTopicsRequest.NO_REPLICATION_FACTOR
                ? situation.config().topics().replicationFactor()
                : topic.replicationFactor();
    }
}
