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
import org.apache.kafka.common.message.CreatePartitionsRequestData;
import org.apache.kafka.common.message.CreatePartitionsRequestData.CreatePartitionsAssignment;
import org.apache.kafka.common.message.CreatePartitionsRequestData.CreatePartitionsTopic;
import org.apache.kafka.common.message.CreatePartitionsResponseData;
import org.apache.kafka.common.message.CreatePartitionsResponseData.CreatePartitionsTopicResult;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.image.TopicImage;
import org.apache.kafka.metadata.PartitionRegistration;
import org.apache.kafka.server.common.ApiMessageAndVersion;

/** Decides CreatePartitions: more partitions for topics that exist. Never fewer. */
public final class PartitionGrowth {
    private PartitionGrowth() {}

    public static Decision<CreatePartitionsResponseData> decide(
            Situation situation, CreatePartitionsRequestData request) {
        Map<String, Integer> times = new HashMap<>();
        for (CreatePartitionsTopic topic : request.topics()) {
            times.merge(topic.name(), 1, Integer::sum);
        }
        boolean tooMany = added(situation, request) > TopicCreation.MAX_PARTITIONS;
        CreatePartitionsResponseData response = new CreatePartitionsResponseData();
        List<ApiMessageAndVersion> records = new ArrayList<>();
        for (CreatePartitionsTopic topic : request.topics()) {
            Integer count = times.remove(topic.name());
            if (count == null) continue;
            Outcome<List<ApiMessageAndVersion>> outcome =
                    count > 1 ? twice(topic.name()) : tooMany ? tooMany() : grow(situation, topic);
            CreatePartitionsTopicResult result =
                    new CreatePartitionsTopicResult().setName(topic.name());
            switch (outcome) {
                case Outcome.Accepted<List<ApiMessageAndVersion>>(var value) ->
                        records.addAll(value);
                case Outcome.Refused<List<ApiMessageAndVersion>>(var refusal) ->
                        result.setErrorCode(refusal.code()).setErrorMessage(refusal.message());
            }
            response.results().add(result);
        }
        return new Decision<>(request.validateOnly() ? List.of() : records, response);
    }

    private static long added(Situation situation, CreatePartitionsRequestData request) {
        long sum = 0;
        for (CreatePartitionsTopic wanted : request.topics()) {
            TopicImage topic = situation.image().topics().getTopic(wanted.name());
            if (topic != null) sum += Math.max(0, wanted.count() - topic.partitions().size());
        }
        return sum;
    }

    private static Outcome<List<ApiMessageAndVersion>> twice(String name) {
        return Outcome.refuse(
                Errors.INVALID_REQUEST, "The request names topic '" + name + "' more than once.");
    }

    private static Outcome<List<ApiMessageAndVersion>> tooMany() {
        return Outcome.refuse(
                Errors.POLICY_VIOLATION,
                "One request may add at most "
                        + TopicCreation.MAX_PARTITIONS
                        + " partitions. Ask for fewer at a time.");
    }

    private static Outcome<List<ApiMessageAndVersion>> grow(
            Situation situation, CreatePartitionsTopic wanted) {
        TopicImage topic = situation.image().topics().getTopic(wanted.name());
        if (topic == null) {
            return Outcome.refuse(
                    Errors.UNKNOWN_TOPIC_OR_PARTITION,
                    "There is no topic with name '" + wanted.name() + "'.");
        }
        int current = topic.partitions().size();
        int more = wanted.count() - current;
        if (more <= 0) {
            return Outcome.refuse(
                    Errors.INVALID_PARTITIONS,
                    "Topic '"
                            + topic.name()
                            + "' has "
                            + current
                            + " partition(s), so "
                            + wanted.count()
                            + " is not more. Partitions can be added, never taken away.");
        }
        return assign(situation, topic, wanted, more)
                .then(replicas -> records(situation, topic, current, replicas));
    }

    private static Outcome<List<List<Integer>>> assign(
            Situation situation, TopicImage topic, CreatePartitionsTopic wanted, int more) {
        PartitionRegistration first = topic.partitions().get(0);
        int replicationFactor = first.replicas.length - first.addingReplicas.length;
        if (wanted.assignments() == null) {
            int current = topic.partitions().size();
            return ReplicaPlacer.place(situation, current, more, replicationFactor);
        }
        if (wanted.assignments().size() != more) {
            return Outcome.refuse(
                    Errors.INVALID_REPLICA_ASSIGNMENT,
                    more
                            + " partition(s) are to be added, and the replica assignment is for "
                            + wanted.assignments().size()
                            + ". Give one list of brokers for each added partition.");
        }
        List<List<Integer>> replicas = new ArrayList<>(more);
        for (CreatePartitionsAssignment assignment : wanted.assignments()) {
            Optional<Refusal> bad =
                    ManualAssignment.check(situation, assignment.brokerIds(), replicationFactor);
            if (bad.isPresent()) return new Outcome.Refused<>(bad.get());
            replicas.add(assignment.brokerIds());
        }
        return Outcome.of(replicas);
    }

    private static Outcome<List<ApiMessageAndVersion>> records(
            Situation situation, TopicImage topic, int from, List<List<Integer>> assignment) {
        List<ApiMessageAndVersion> records = new ArrayList<>();
        for (int i = 0; i < assignment.size(); i++) {
            switch (NewPartition.record(situation, topic.id(), from + i, assignment.get(i))) {
                case Outcome.Accepted<ApiMessageAndVersion>(var record) -> records.add(record);
                case Outcome.Refused<ApiMessageAndVersion>(var refusal) -> {
                    return new Outcome.Refused<>(refusal);
                }
            }
        }
        return Outcome.of(records);
    }
}
