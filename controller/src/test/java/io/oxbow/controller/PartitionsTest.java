// SPDX-License-Identifier: Apache-2.0
package io.oxbow.controller;

import static io.oxbow.controller.SimController.directory;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.apache.kafka.common.DirectoryId;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.AlterPartitionRequestData;
import org.apache.kafka.common.message.AlterPartitionRequestData.BrokerState;
import org.apache.kafka.common.message.AssignReplicasToDirsRequestData;
import org.apache.kafka.common.message.ListPartitionReassignmentsRequestData;
import org.apache.kafka.common.message.ListPartitionReassignmentsResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.metadata.PartitionRegistration;
import org.junit.jupiter.api.Test;

class PartitionsTest {

    static AssignReplicasToDirsRequestData assign(
            SimController controller, int broker, Uuid directory, Uuid topic, int partition) {
        return new AssignReplicasToDirsRequestData()
                .setBrokerId(broker)
                .setBrokerEpoch(controller.epoch(broker))
                .setDirectories(
                        List.of(
                                new AssignReplicasToDirsRequestData.DirectoryData()
                                        .setId(directory)
                                        .setTopics(
                                                List.of(
                                                        new AssignReplicasToDirsRequestData
                                                                        .TopicData()
                                                                .setTopicId(topic)
                                                                .setPartitions(
                                                                        List.of(
                                                                                new AssignReplicasToDirsRequestData
                                                                                                .PartitionData()
                                                                                        .setPartitionIndex(
                                                                                                partition)))))));
    }

    /** The present leader of partition 0 says who is in sync. */
    static AlterPartitionRequestData isr(SimController controller, String topic, int... members) {
        PartitionRegistration partition = controller.partition(topic, 0);
        var wanted =
                new AlterPartitionRequestData.PartitionData()
                        .setPartitionIndex(0)
                        .setLeaderEpoch(partition.leaderEpoch)
                        .setPartitionEpoch(partition.partitionEpoch);
        for (int member : members) {
            wanted.newIsrWithEpochs()
                    .add(
                            new BrokerState()
                                    .setBrokerId(member)
                                    .setBrokerEpoch(controller.epoch(member)));
        }
        return new AlterPartitionRequestData()
                .setBrokerId(partition.leader)
                .setBrokerEpoch(controller.epoch(partition.leader))
                .setTopics(
                        List.of(
                                new AlterPartitionRequestData.TopicData()
                                        .setTopicId(
                                                controller.image().topics().getTopic(topic).id())
                                        .setPartitions(List.of(wanted))));
    }

    private static AlterPartitionRequestData.PartitionData only(AlterPartitionRequestData data) {
        return data.topics().getFirst().partitions().getFirst();
    }

    private static void expect(
            Errors error, SimController controller, AlterPartitionRequestData request) {
        assertEquals(error, Replies.firstError(controller.send(request)));
    }

    @Test
    void shouldFollowTheLeadersWordOnWhoIsInSync() {
        SimController controller = SimController.withBrokers(1, 2, 3);
        controller.createTopic("t", List.of(List.of(1, 2, 3)));
        expect(Errors.NONE, controller, isr(controller, "t", 1, 2));
        PartitionRegistration shrunk = controller.partition("t", 0);
        assertArrayEquals(new int[] {1, 2}, shrunk.isr);
        assertEquals(0, shrunk.leaderEpoch);
        assertEquals(1, shrunk.partitionEpoch);
        expect(Errors.NONE, controller, isr(controller, "t", 1, 2, 3));
        assertArrayEquals(new int[] {1, 2, 3}, controller.partition("t", 0).isr);
    }

    @Test
    void shouldRefuseWordsOfTheWrongEpochOrTheWrongBroker() {
        SimController controller = SimController.withBrokers(1, 2);
        controller.createTopic("t", List.of(List.of(1, 2)));
        AlterPartitionRequestData request = isr(controller, "t", 1);
        only(request).setLeaderEpoch(1);
        expect(Errors.NOT_CONTROLLER, controller, request);
        only(request).setLeaderEpoch(-1);
        expect(Errors.FENCED_LEADER_EPOCH, controller, request);
        only(request).setLeaderEpoch(0).setPartitionEpoch(-1);
        expect(Errors.INVALID_UPDATE_VERSION, controller, request);
        AlterPartitionRequestData notLeader =
                isr(controller, "t", 2).setBrokerId(2).setBrokerEpoch(controller.epoch(2));
        expect(Errors.INVALID_REQUEST, controller, notLeader);
        expect(Errors.INVALID_REQUEST, controller, isr(controller, "t", 2));
        expect(
                Errors.STALE_BROKER_EPOCH,
                controller,
                isr(controller, "t", 1).setBrokerEpoch(7_000));
    }

    @Test
    void shouldNotTakeInAReplicaOfAnEarlierIncarnation() {
        SimController controller = SimController.withBrokers(1, 2);
        controller.createTopic("t", List.of(List.of(1, 2)));
        expect(Errors.NONE, controller, isr(controller, "t", 1));
        AlterPartitionRequestData request = isr(controller, "t", 1, 2);
        controller.start(2, directory(2, 0));
        expect(Errors.INELIGIBLE_REPLICA, controller, request);
        controller.send(controller.heartbeatOf(2).setWantFence(true));
        expect(Errors.INELIGIBLE_REPLICA, controller, isr(controller, "t", 1, 2));
    }

    @Test
    void shouldWriteTheOnlyDirectoryOfABrokerAndLeaveTheChoiceWhereThereAreSeveral() {
        SimController controller = SimController.withBrokers(1);
        controller.start(2, directory(2, 0), directory(2, 1));
        controller.createTopic("t", List.of(List.of(1, 2)));
        assertArrayEquals(
                new Uuid[] {directory(1, 0), DirectoryId.UNASSIGNED},
                controller.partition("t", 0).directories);
    }

    @Test
    void shouldTakeReportsOfDirectories() {
        SimController controller = SimController.withBrokers(2);
        controller.start(1, directory(1, 0), directory(1, 1));
        Uuid topic = controller.createTopic("t", List.of(List.of(1, 2)));
        assertEquals(
                Errors.NONE,
                Replies.firstError(
                        controller.send(assign(controller, 1, directory(1, 1), topic, 0))));
        assertEquals(directory(1, 1), controller.partition("t", 0).directories[0]);
        assertEquals(1, controller.partition("t", 0).leader);
        assertEquals(
                Errors.NONE,
                Replies.firstError(
                        controller.send(assign(controller, 1, DirectoryId.LOST, topic, 0))));
        assertEquals(2, controller.partition("t", 0).leader, "a lost directory cannot lead");
        assertEquals(
                Errors.UNKNOWN_TOPIC_ID,
                Replies.firstError(
                        controller.send(
                                assign(controller, 1, directory(1, 1), Uuid.randomUuid(), 0))));
        assertEquals(
                Errors.UNKNOWN_TOPIC_OR_PARTITION,
                Replies.firstError(
                        controller.send(assign(controller, 1, directory(1, 1), topic, 5))));
    }

    @Test
    void shouldElectThePreferredReplica() {
        SimController controller = SimController.withBrokers(1, 2);
        controller.createTopic("t", List.of(List.of(1, 2)));
        controller.send(controller.heartbeatOf(1).setWantFence(true));
        assertEquals(
                Errors.PREFERRED_LEADER_NOT_AVAILABLE,
                Replies.firstError(controller.send(Requests.elect(0, "t", 0))));
        controller.heartbeat(1);
        expect(Errors.NONE, controller, isr(controller, "t", 2, 1));
        assertEquals(Errors.NONE, Replies.firstError(controller.send(Requests.elect(0, "t", 0))));
        assertEquals(1, controller.partition("t", 0).leader);
        assertEquals(2, controller.partition("t", 0).leaderEpoch);
    }

    @Test
    void shouldGiveLeadershipsBackByItselfAfterAWhile() {
        SimController controller = SimController.withBrokers(1, 2);
        controller.createTopic("t", List.of(List.of(1, 2)));
        controller.send(controller.heartbeatOf(1).setWantFence(true));
        controller.heartbeat(1);
        expect(Errors.NONE, controller, isr(controller, "t", 2, 1));
        assertEquals(2, controller.partition("t", 0).leader);
        controller.tickAfter(300_000);
        assertEquals(1, controller.partition("t", 0).leader);
    }

    @Test
    void shouldMoveAPartitionToOtherBrokers() {
        SimController controller = SimController.withBrokers(1, 2, 3);
        controller.createTopic("t", List.of(List.of(1)));
        assertEquals(
                Errors.NONE,
                Replies.firstError(controller.send(Requests.reassign("t", 0, List.of(2, 3)))));
        PartitionRegistration moving = controller.partition("t", 0);
        assertArrayEquals(new int[] {2, 3, 1}, moving.replicas);
        assertArrayEquals(new int[] {2, 3}, moving.addingReplicas);
        assertArrayEquals(new int[] {1}, moving.removingReplicas);
        ListPartitionReassignmentsResponseData listed =
                controller.send(new ListPartitionReassignmentsRequestData().setTopics(null));
        assertEquals(1, listed.topics().size());

        AlterPartitionRequestData complete = isr(controller, "t", 1, 2, 3);
        expect(Errors.NEW_LEADER_ELECTED, controller, complete);
        PartitionRegistration moved = controller.partition("t", 0);
        assertArrayEquals(new int[] {2, 3}, moved.replicas);
        assertArrayEquals(new int[] {2, 3}, moved.isr);
        assertEquals(2, moved.leader);
        assertArrayEquals(new Uuid[] {directory(2, 0), directory(3, 0)}, moved.directories);
    }

    @Test
    void shouldCancelAMove() {
        SimController controller = SimController.withBrokers(1, 2);
        controller.createTopic("t", List.of(List.of(1)));
        assertEquals(
                Errors.NONE,
                Replies.firstError(controller.send(Requests.reassign("t", 0, List.of(2)))));
        assertEquals(
                Errors.NONE, Replies.firstError(controller.send(Requests.reassign("t", 0, null))));
        PartitionRegistration partition = controller.partition("t", 0);
        assertArrayEquals(new int[] {1}, partition.replicas);
        assertArrayEquals(new int[] {}, partition.addingReplicas);
        assertEquals(1, partition.leader);
    }

    /** Broker 1 of the partition is gone, so the broker that it was moving to leads. */
    private static SimController whereOnlyTheAddedReplicaIsInSync() {
        SimController controller = SimController.withBrokers(1, 2, 3);
        controller.createTopic("t", List.of(List.of(1, 3)));
        controller.send(Requests.reassign("t", 0, List.of(1, 2, 3)));
        expect(Errors.NONE, controller, isr(controller, "t", 1));
        controller.send(
                Requests.configure(
                        ConfigResource.Type.TOPIC,
                        "t",
                        Requests.set("unclean.leader.election.enable", "true")));
        controller.send(controller.heartbeatOf(3).setWantFence(true));
        controller.send(controller.heartbeatOf(1).setWantFence(true));
        assertEquals(2, controller.partition("t", 0).leader);
        controller.heartbeat(3);
        return controller;
    }

    @Test
    void shouldKeepWhatIsInSyncWhenAMoveGetsAnotherTarget() {
        SimController controller = whereOnlyTheAddedReplicaIsInSync();
        controller.send(Requests.reassign("t", 0, List.of(1, 3)));
        PartitionRegistration partition = controller.partition("t", 0);
        assertEquals(2, partition.leader);
        assertArrayEquals(new int[] {1, 3, 2}, partition.replicas);
        assertArrayEquals(new int[] {2}, partition.removingReplicas);
    }

    @Test
    void shouldLeadByAReplicaWhenAMoveIsCancelled() {
        SimController controller = whereOnlyTheAddedReplicaIsInSync();
        controller.send(Requests.reassign("t", 0, null));
        PartitionRegistration partition = controller.partition("t", 0);
        assertEquals(3, partition.leader);
        assertArrayEquals(new int[] {3}, partition.isr);
        assertArrayEquals(new int[] {}, partition.elr);
    }

    @Test
    void shouldRefuseAnotherReplicationFactorWhereItIsForbidden() {
        SimController controller = SimController.withBrokers(1, 2);
        controller.createTopic("t", List.of(List.of(1)));
        assertEquals(
                Errors.INVALID_REPLICATION_FACTOR,
                Replies.firstError(
                        controller.send(
                                Requests.reassign("t", 0, List.of(1, 2))
                                        .setAllowReplicationFactorChange(false))));
    }

    @Test
    void shouldElectUncleanlyOnlyWhereItIsAsked() {
        SimController controller = SimController.withBrokers(1, 2);
        controller.createTopic("t", List.of(List.of(1, 2)));
        expect(Errors.NONE, controller, isr(controller, "t", 1));
        controller.send(controller.heartbeatOf(1).setWantFence(true));
        assertEquals(-1, controller.partition("t", 0).leader);
        assertEquals(Errors.NONE, Replies.firstError(controller.send(Requests.elect(1, "t", 0))));
        assertEquals(2, controller.partition("t", 0).leader);
        assertArrayEquals(new int[] {2}, controller.partition("t", 0).isr);
    }
}
