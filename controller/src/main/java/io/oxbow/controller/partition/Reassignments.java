// SPDX-License-Identifier: Apache-2.0
package io.oxbow.controller.partition;

import io.oxbow.controller.decide.Decision;
import io.oxbow.controller.decide.Outcome;
import io.oxbow.controller.decide.Refusal;
import io.oxbow.controller.decide.Situation;
import io.oxbow.controller.placement.ManualAssignment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.common.message.AlterPartitionReassignmentsRequestData;
import org.apache.kafka.common.message.AlterPartitionReassignmentsRequestData.ReassignablePartition;
import org.apache.kafka.common.message.AlterPartitionReassignmentsResponseData;
import org.apache.kafka.common.message.AlterPartitionReassignmentsResponseData.ReassignablePartitionResponse;
import org.apache.kafka.common.message.AlterPartitionReassignmentsResponseData.ReassignableTopicResponse;
import org.apache.kafka.common.message.ListPartitionReassignmentsRequestData;
import org.apache.kafka.common.message.ListPartitionReassignmentsResponseData;
import org.apache.kafka.common.message.ListPartitionReassignmentsResponseData.OngoingPartitionReassignment;
import org.apache.kafka.common.message.ListPartitionReassignmentsResponseData.OngoingTopicReassignment;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.image.TopicImage;
import org.apache.kafka.metadata.PartitionRegistration;
import org.apache.kafka.metadata.Replicas;
import org.apache.kafka.server.common.ApiMessageAndVersion;

/**
 * Decides AlterPartitionReassignments and ListPartitionReassignments (KIP-455): moves of partitions
 * between brokers. A move ends by itself when the added replicas are in sync ({@link
 * PartitionChange}).
 */
public final class Reassignments {
    private Reassignments() {}

    /** Begins, re-targets or (with null replicas) cancels moves; each partition for itself. */
    public static Decision<AlterPartitionReassignmentsResponseData> alter(
            Situation situation, AlterPartitionReassignmentsRequestData request) {
        AlterPartitionReassignmentsResponseData response =
                new AlterPartitionReassignmentsResponseData();
        boolean mayChangeFactor = request.allowReplicationFactorChange();
        response.setAllowReplicationFactorChange(mayChangeFactor);
        List<ApiMessageAndVersion> records = new ArrayList<>();
        for (var topic : request.topics()) {
            ReassignableTopicResponse results =
                    new ReassignableTopicResponse().setName(topic.name());
            for (ReassignablePartition wanted : topic.partitions()) {
                ReassignablePartitionResponse result =
                        new ReassignablePartitionResponse()
                                .setPartitionIndex(wanted.partitionIndex());
                switch (alter(situation, topic.name(), wanted, mayChangeFactor)) {
                    case Outcome.Accepted<Optional<ApiMessageAndVersion>>(var record) ->
                            record.ifPresent(records::add);
                    case Outcome.Refused<Optional<ApiMessageAndVersion>>(var refusal) ->
                            result.setErrorCode(refusal.code()).setErrorMessage(refusal.message());
                }
                results.partitions().add(result);
            }
            response.responses().add(results);
        }
        return Decision.divisible(records, response);
    }

    private static Outcome<Optional<ApiMessageAndVersion>> alter(
            Situation situation,
            String name,
            ReassignablePartition wanted,
            boolean mayChangeFactor) {
        TopicImage topic = situation.image().topics().getTopic(name);
        int id = wanted.partitionIndex();
        PartitionRegistration partition = topic == null ? null : topic.partitions().get(id);
        if (partition == null) {
            return Outcome.refuse(
                    Errors.UNKNOWN_TOPIC_OR_PARTITION,
                    topic == null
                            ? "There is no topic with name '" + name + "'."
                            : "Topic '" + name + "' has no partition " + id + ".");
        }
        PartitionChange change = new PartitionChange(situation, topic, id, partition);
        if (wanted.replicas() == null) return cancel(situation, topic, id, partition, change);
        Optional<Refusal> bad = ManualAssignment.check(situation, wanted.replicas(), -1);
        if (bad.isPresent()) return new Outcome.Refused<>(bad.get());
        int factor = Reassignment.of(partition).original().size();
        if (!mayChangeFactor && wanted.replicas().size() != factor) {
            return Outcome.refuse(
                    Errors.INVALID_REPLICATION_FACTOR,
                    "Partition "
                            + id
                            + " of '"
                            + name
                            + "' has "
                            + factor
                            + " replica(s); the request forbids to change that, and names "
                            + wanted.replicas().size()
                            + ".");
        }
        Reassignment move = Reassignment.to(partition, wanted.replicas());
        return Outcome.of(
                change.electionAllowed()
                        .replicas(move.replicas(), move.removing(), move.adding())
                        .isr(within(partition.isr, move.replicas()))
                        .record());
    }

    private static Outcome<Optional<ApiMessageAndVersion>> cancel(
            Situation situation,
            TopicImage topic,
            int id,
            PartitionRegistration partition,
            PartitionChange change) {
        if (!Reassignment.isGoingOn(partition)) {
            return Outcome.refuse(
                    Errors.NO_REASSIGNMENT_IN_PROGRESS,
                    "Partition " + id + " of '" + topic.name() + "' is not being moved.");
        }
        List<Integer> original = Reassignment.of(partition).original();
        List<Integer> isr = within(partition.isr, original);
        if (isr.isEmpty() && !situation.allowsUnclean(topic.name())) {
            return Outcome.refuse(
                    Errors.INVALID_REPLICA_ASSIGNMENT,
                    "None of the brokers "
                            + original
                            + " that had partition "
                            + id
                            + " of '"
                            + topic.name()
                            + "' before the move is in sync, so going back would lose records. Let"
                            + " the move end, or allow unclean.leader.election.enable.");
        }
        return Outcome.of(
                change.electionAllowed()
                        .replicas(original, List.of(), List.of())
                        .isr(isr)
                        .record());
    }

    /** Lists the moves that go on. */
    public static Decision<ListPartitionReassignmentsResponseData> list(
            Situation situation, ListPartitionReassignmentsRequestData request) {
        Map<String, OngoingTopicReassignment> found = new TreeMap<>();
        if (request.topics() == null) {
            PartitionScan.forEach(
                    situation.image(), (topic, id, partition) -> add(found, topic, id, partition));
        } else {
            for (var wanted : request.topics()) {
                TopicImage topic = situation.image().topics().getTopic(wanted.name());
                if (topic == null) continue;
                for (int id : wanted.partitionIndexes()) {
                    PartitionRegistration partition = topic.partitions().get(id);
                    if (partition != null) add(found, topic, id, partition);
                }
            }
        }
        return Decision.reply(
                new ListPartitionReassignmentsResponseData()
                        .setTopics(new ArrayList<>(found.values())));
    }

    private static void add(
            Map<String, OngoingTopicReassignment> found,
            TopicImage topic,
            int id,
            PartitionRegistration partition) {
        if (!Reassignment.isGoingOn(partition)) return;
        found.computeIfAbsent(topic.name(), name -> new OngoingTopicReassignment().setName(name))
                .partitions()
                .add(
                        new OngoingPartitionReassignment()
                                .setPartitionIndex(id)
                                .setReplicas(Replicas.toList(partition.replicas))
                                .setAddingReplicas(Replicas.toList(partition.addingReplicas))
                                .setRemovingReplicas(Replicas.toList(partition.removingReplicas)));
    }

    private static List<Integer> within(int[] isr, List<Integer> replicas) {
        return Replicas.toList(isr).stream().filter(replicas::contains).toList();
    }
}
