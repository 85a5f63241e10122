// SPDX-License-Identifier: Apache-2.0
package io.oxbow.controller;

import static io.oxbow.controller.SimController.directory;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.apache.kafka.common.DirectoryId;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.BrokerHeartbeatResponseData;
import org.apache.kafka.common.message.BrokerRegistrationRequestData;
import org.apache.kafka.common.message.UnregisterBrokerRequestData;
import org.apache.kafka.common.message.UnregisterBrokerResponseData;
import org.apache.kafka.common.metadata.BrokerRegistrationChangeRecord;
import org.apache.kafka.common.metadata.PartitionChangeRecord;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.metadata.BrokerRegistration;
import org.apache.kafka.metadata.LeaderRecoveryState;
import org.apache.kafka.metadata.PartitionRegistration;
import org.junit.jupiter.api.Test;

class BrokersTest {

    private static Errors register(SimController c, BrokerRegistrationRequestData request) {
        return Errors.forCode(c.register(request).errorCode());
    }

    private static BrokerRegistration broker(SimController controller, int id) {
        return controller.image().cluster().broker(id);
    }

    @Test
    void shouldRegisterFencedAndUnfenceWhenCaughtUp() {
        SimController controller = SimController.withBrokers();
        controller.register(controller.registration(1, directory(1, 0)));
        assertTrue(broker(controller, 1).fenced());
        BrokerHeartbeatResponseData behind =
                controller.send(
                        controller
                                .heartbeatOf(1)
                                .setCurrentMetadataOffset(controller.epoch(1) - 1));
        assertTrue(behind.isFenced());
        assertFalse(behind.isCaughtUp());
        BrokerHeartbeatResponseData wantsFence =
                controller.send(controller.heartbeatOf(1).setWantFence(true));
        assertTrue(wantsFence.isFenced());
        assertTrue(wantsFence.isCaughtUp());
        assertFalse(controller.heartbeat(1).isFenced());
        assertFalse(broker(controller, 1).fenced());
    }

    @Test
    void shouldRefuseAnotherCluster() {
        SimController controller = SimController.withBrokers();
        assertEquals(
                Errors.INCONSISTENT_CLUSTER_ID,
                register(
                        controller,
                        controller.registration(1, directory(1, 0)).setClusterId("other")));
    }

    @Test
    void shouldRefuseDirectoriesThatCannotBe() {
        SimController controller = SimController.withBrokers(1);
        Uuid own = directory(2, 0);
        for (Uuid[] bad :
                new Uuid[][] {{}, {own, own}, {DirectoryId.LOST}, {own, directory(1, 0)}}) {
            assertEquals(
                    Errors.INVALID_REGISTRATION,
                    register(controller, controller.registration(2, bad)));
        }
    }

    @Test
    void shouldRefuseBrokerWithoutFinalizedFeature() {
        SimController controller = SimController.withBrokers();
        BrokerRegistrationRequestData request = controller.registration(1, directory(1, 0));
        request.features().find("metadata.version").setMaxSupportedVersion((short) 25);
        assertEquals(Errors.UNSUPPORTED_VERSION, register(controller, request));
        assertNull(broker(controller, 1));
    }

    @Test
    void shouldAcceptTheSameNodeAtOnceByItsDirectories() {
        SimController controller = SimController.withBrokers(1);
        long epoch = controller.epoch(1);
        // One disk was replaced, one is the same.
        assertEquals(
                Errors.NONE,
                register(controller, controller.registration(1, directory(1, 0), directory(1, 9))));
        assertTrue(controller.epoch(1) > epoch);
        assertTrue(broker(controller, 1).fenced());
    }

    @Test
    void shouldRefuseAnotherNodeWithTheSameIdUntilTheSessionIsOver() {
        SimController controller = SimController.withBrokers(1);
        BrokerRegistrationRequestData other = controller.registration(1, directory(9, 0));
        assertEquals(Errors.DUPLICATE_BROKER_REGISTRATION, register(controller, other));
        controller.clock.advanceMs(9_001);
        assertEquals(Errors.NONE, register(controller, other));
    }

    @Test
    void shouldKeepEpochAndStateWhenTheSameIncarnationRegistersAgain() {
        SimController controller = SimController.withBrokers();
        BrokerRegistrationRequestData request = controller.registration(1, directory(1, 0));
        controller.register(request);
        controller.heartbeat(1);
        long epoch = controller.epoch(1);
        assertEquals(Errors.NONE, register(controller, request));
        assertEquals(epoch, controller.epoch(1));
        assertFalse(broker(controller, 1).fenced());
    }

    @Test
    void shouldRefuseHeartbeatsOfAnEarlierIncarnation() {
        SimController controller = SimController.withBrokers(1);
        var old = controller.heartbeatOf(1);
        controller.register(controller.registration(1, directory(1, 0)));
        BrokerHeartbeatResponseData reply = controller.send(old);
        assertEquals(Errors.STALE_BROKER_EPOCH.code(), reply.errorCode());
    }

    @Test
    void shouldFenceSilentBrokersAndMoveTheirLeaderships() {
        SimController controller = SimController.withBrokers(1, 2);
        controller.createTopic("t", List.of(List.of(1, 2), List.of(2, 1)));
        // Ticks between, so that the controller itself is not taken for asleep.
        controller.tickAfter(2_500);
        controller.tickAfter(2_500);
        controller.heartbeat(2);
        controller.tickAfter(2_000);
        controller.tickAfter(2_001);
        assertTrue(broker(controller, 1).fenced());
        assertFalse(broker(controller, 2).fenced());
        PartitionRegistration first = controller.partition("t", 0);
        assertEquals(2, first.leader);
        assertEquals(1, first.leaderEpoch);
        assertArrayEquals(new int[] {2}, first.isr);
    }

    @Test
    void shouldNotFenceAnybodyForItsOwnSleep() {
        SimController controller = SimController.withBrokers(1, 2);
        controller.tickAfter(60_000);
        assertFalse(broker(controller, 1).fenced());
        controller.tickAfter(4_000);
        controller.tickAfter(4_000);
        controller.tickAfter(4_000);
        assertTrue(broker(controller, 1).fenced(), "from then on the session counts");
    }

    @Test
    void shouldShutDownInOrder() {
        SimController controller = SimController.withBrokers(1, 2);
        controller.createTopic("t", List.of(List.of(1, 2)));
        long metadata = controller.raft.logEndOffset() - 1;
        BrokerHeartbeatResponseData leaving =
                controller.send(controller.heartbeatOf(1).setWantShutDown(true));
        assertFalse(leaving.shouldShutDown());
        assertTrue(broker(controller, 1).inControlledShutdown());
        assertEquals(2, controller.partition("t", 0).leader);
        // Broker 2 has not applied that yet.
        controller.send(controller.heartbeatOf(2).setCurrentMetadataOffset(metadata));
        BrokerHeartbeatResponseData waiting =
                controller.send(controller.heartbeatOf(1).setWantShutDown(true));
        assertFalse(waiting.shouldShutDown());
        controller.heartbeat(2);
        BrokerHeartbeatResponseData gone =
                controller.send(controller.heartbeatOf(1).setWantShutDown(true));
        assertTrue(gone.shouldShutDown());
        assertTrue(broker(controller, 1).fenced());

        controller.heartbeat(1);
        assertTrue(broker(controller, 1).fenced(), "only a registration brings it back");
    }

    @Test
    void shouldKeepTheLastReplicaEligibleAfterCleanShutdown() {
        SimController controller = SimController.withBrokers(1);
        controller.createTopic("t", List.of(List.of(1)));
        controller.send(controller.heartbeatOf(1).setWantShutDown(true));
        // As golden/README.md: the records that Kafka wrote when its only broker shut down.
        PartitionChangeRecord change =
                (PartitionChangeRecord) controller.records().getLast().message();
        assertEquals(-1, change.leader());
        assertEquals(List.of(), change.isr());
        assertEquals(List.of(1), change.eligibleLeaderReplicas());
        assertEquals(List.of(1), change.lastKnownElr());
        controller.send(controller.heartbeatOf(1).setWantShutDown(true));
        assertEquals(
                1,
                ((BrokerRegistrationChangeRecord) controller.records().getLast().message())
                        .fenced());

        controller.start(1, directory(1, 0));
        PartitionRegistration back = controller.partition("t", 0);
        assertEquals(1, back.leader);
        assertArrayEquals(new int[] {1}, back.isr);
        assertArrayEquals(new int[] {}, back.elr);
        assertArrayEquals(new int[] {}, back.lastKnownElr);
        assertEquals(LeaderRecoveryState.RECOVERED, back.leaderRecoveryState);
    }

    @Test
    void shouldMarkTheLastReplicaAsRecoveringAfterACrash() {
        SimController controller = SimController.withBrokers(1);
        controller.createTopic("t", List.of(List.of(1)));
        controller.register(controller.registration(1, directory(1, 0)).setPreviousBrokerEpoch(-1));
        PartitionRegistration crashed = controller.partition("t", 0);
        assertEquals(-1, crashed.leader);
        assertArrayEquals(new int[] {}, crashed.elr);
        assertArrayEquals(new int[] {1}, crashed.lastKnownElr);
        controller.heartbeat(1);
        PartitionRegistration back = controller.partition("t", 0);
        assertEquals(1, back.leader);
        assertEquals(LeaderRecoveryState.RECOVERING, back.leaderRecoveryState);
    }

    @Test
    void shouldNotLetACrashedReplicaLeadWhileAnotherIsInSync() {
        SimController controller = SimController.withBrokers(1, 2);
        controller.createTopic("t", List.of(List.of(1, 2)));
        controller.register(controller.registration(1, directory(1, 0)).setPreviousBrokerEpoch(-1));
        controller.heartbeat(1);
        PartitionRegistration partition = controller.partition("t", 0);
        assertEquals(2, partition.leader);
        assertArrayEquals(new int[] {2}, partition.isr);
    }

    @Test
    void shouldMoveLeadersOfAFailedDirectoryOnly() {
        SimController controller = SimController.withBrokers(2);
        controller.start(1, directory(1, 0), directory(1, 1));
        Uuid topic = controller.createTopic("t", List.of(List.of(1, 2), List.of(1, 2)));
        assertEquals(
                Errors.NONE,
                Replies.firstError(
                        controller.send(
                                PartitionsTest.assign(controller, 1, directory(1, 0), topic, 0))));
        assertEquals(
                Errors.NONE,
                Replies.firstError(
                        controller.send(
                                PartitionsTest.assign(controller, 1, directory(1, 1), topic, 1))));
        controller.send(controller.heartbeatOf(1).setOfflineLogDirs(List.of(directory(1, 1))));
        assertEquals(1, controller.partition("t", 0).leader);
        assertEquals(2, controller.partition("t", 1).leader);
        assertEquals(List.of(directory(1, 0)), broker(controller, 1).directories());
        int records = controller.records().size();
        controller.send(controller.heartbeatOf(1).setOfflineLogDirs(List.of(directory(1, 1))));
        assertEquals(records, controller.records().size(), "said once");
    }

    @Test
    void shouldNotLetABrokerLeadFromADirectoryThatFailedBeforeItWasUnfenced() {
        SimController controller = SimController.withBrokers();
        controller.start(1, directory(1, 0), directory(1, 1));
        Uuid topic = controller.createTopic("t", List.of(List.of(1)));
        var _ = controller.send(PartitionsTest.assign(controller, 1, directory(1, 1), topic, 0));
        controller.register(controller.registration(1, directory(1, 0), directory(1, 1)));
        for (int i = 0; i < 3; i++) {
            controller.send(controller.heartbeatOf(1).setOfflineLogDirs(List.of(directory(1, 1))));
        }
        assertFalse(broker(controller, 1).fenced());
        assertEquals(-1, controller.partition("t", 0).leader);
    }

    @Test
    void shouldCordonDirectories() {
        SimController controller = SimController.withBrokers(1);
        controller.send(controller.heartbeatOf(1).setCordonedLogDirs(List.of(directory(1, 0))));
        assertEquals(
                Errors.INVALID_REPLICATION_FACTOR,
                Replies.firstError(
                        controller.send(Requests.createTopics(Requests.topic("t", 1, 1)))));
    }

    @Test
    void shouldUnregister() {
        SimController controller = SimController.withBrokers(1, 2);
        controller.createTopic("t", List.of(List.of(1, 2)));
        UnregisterBrokerResponseData reply =
                controller.send(new UnregisterBrokerRequestData().setBrokerId(1));
        assertEquals(0, reply.errorCode());
        assertNull(broker(controller, 1));
        assertEquals(2, controller.partition("t", 0).leader);
        UnregisterBrokerResponseData again =
                controller.send(new UnregisterBrokerRequestData().setBrokerId(1));
        assertEquals(Errors.BROKER_ID_NOT_REGISTERED.code(), again.errorCode());
    }
}
