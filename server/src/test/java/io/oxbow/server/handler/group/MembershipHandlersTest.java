// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.group;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.oxbow.server.doubles.RecordingRequest;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.errors.CoordinatorLoadInProgressException;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatResponseData;
import org.apache.kafka.common.message.DescribeGroupsRequestData;
import org.apache.kafka.common.message.DescribeGroupsResponseData;
import org.apache.kafka.common.message.DescribeGroupsResponseData.DescribedGroup;
import org.apache.kafka.common.message.HeartbeatRequestData;
import org.apache.kafka.common.message.HeartbeatResponseData;
import org.apache.kafka.common.message.JoinGroupRequestData;
import org.apache.kafka.common.message.JoinGroupResponseData;
import org.apache.kafka.common.message.LeaveGroupRequestData;
import org.apache.kafka.common.message.LeaveGroupResponseData;
import org.apache.kafka.common.message.LeaveGroupResponseData.MemberResponse;
import org.apache.kafka.common.message.SyncGroupRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;

class MembershipHandlersTest {
    private final RecordingCoordinator coordinator = new RecordingCoordinator();

    @Test
    void shouldAnswerWhenTheCoordinatorDoes() {
        CompletableFuture<HeartbeatResponseData> later = new CompletableFuture<>();
        coordinator.answering("heartbeat", later);
        RecordingRequest request =
                new RecordingRequest(ApiKeys.HEARTBEAT, 4, new HeartbeatRequestData());
        new HeartbeatHandler(coordinator.coordinator()).handle(request);
        assertFalse(request.answered());

        HeartbeatResponseData answer = new HeartbeatResponseData();
        later.complete(answer);
        assertEquals(answer, request.reply(HeartbeatResponseData.class));
    }

    @Test
    void shouldTurnAFailureIntoItsErrorCode() {
        coordinator.answering(
                "heartbeat",
                CompletableFuture.failedFuture(new CoordinatorLoadInProgressException("loading")));
        RecordingRequest request =
                new RecordingRequest(ApiKeys.HEARTBEAT, 4, new HeartbeatRequestData());
        new HeartbeatHandler(coordinator.coordinator()).handle(request);
        assertEquals(Errors.COORDINATOR_LOAD_IN_PROGRESS, request.error());
    }

    @Test
    void shouldGiveTheOldestJoinItsSessionTimeoutForTheRebalance() {
        coordinator.answering(
                "joinGroup",
                CompletableFuture.completedFuture(
                        new JoinGroupResponseData().setProtocolName(null)));
        JoinGroupRequestData join = new JoinGroupRequestData().setSessionTimeoutMs(1234);
        RecordingRequest request = new RecordingRequest(ApiKeys.JOIN_GROUP, 0, join);
        new JoinGroupHandler(coordinator.coordinator()).handle(request);
        assertEquals(
                1234, coordinator.lastArgument(1, JoinGroupRequestData.class).rebalanceTimeoutMs());
        assertEquals("", request.reply(JoinGroupResponseData.class).protocolName());
    }

    @Test
    void shouldRefuseASyncWithoutProtocol() {
        RecordingRequest request =
                new RecordingRequest(
                        ApiKeys.SYNC_GROUP, 5, new SyncGroupRequestData().setGroupId("g"));
        new SyncGroupHandler(coordinator.coordinator()).handle(request);
        assertEquals(Errors.INCONSISTENT_GROUP_PROTOCOL, request.error());
    }

    @Test
    void shouldLeaveWithTheOneMemberOfAnOldRequest() {
        coordinator.answering(
                "leaveGroup",
                CompletableFuture.completedFuture(
                        new LeaveGroupResponseData()
                                .setMembers(
                                        List.of(
                                                new MemberResponse()
                                                        .setMemberId("m")
                                                        .setErrorCode(
                                                                Errors.UNKNOWN_MEMBER_ID
                                                                        .code())))));
        RecordingRequest request =
                new RecordingRequest(
                        ApiKeys.LEAVE_GROUP,
                        2,
                        new LeaveGroupRequestData().setGroupId("g").setMemberId("m"));
        new LeaveGroupHandler(coordinator.coordinator()).handle(request);
        assertEquals(
                "m",
                coordinator
                        .lastArgument(1, LeaveGroupRequestData.class)
                        .members()
                        .get(0)
                        .memberId());
        assertEquals(
                Errors.UNKNOWN_MEMBER_ID.code(),
                request.reply(LeaveGroupResponseData.class).errorCode());
    }

    @Test
    void shouldTellTheOperationsOfAGroupWhenAskedTo() {
        coordinator.answering(
                "describeGroups", CompletableFuture.completedFuture(List.of(new DescribedGroup())));
        RecordingRequest request =
                new RecordingRequest(
                        ApiKeys.DESCRIBE_GROUPS,
                        6,
                        new DescribeGroupsRequestData()
                                .setGroups(List.of("g"))
                                .setIncludeAuthorizedOperations(true));
        new DescribeGroupsHandler(coordinator.coordinator()).handle(request);
        DescribedGroup group = request.reply(DescribeGroupsResponseData.class).groups().get(0);
        assertEquals(GroupOperations.ALL, group.authorizedOperations());
    }

    @Test
    void shouldServeConsumerGroupsOnceTheFeatureIsFinalised() {
        ConsumerGroupHeartbeatResponseData answer = new ConsumerGroupHeartbeatResponseData();
        coordinator.answering("consumerGroupHeartbeat", CompletableFuture.completedFuture(answer));
        RecordingRequest early =
                new RecordingRequest(
                        ApiKeys.CONSUMER_GROUP_HEARTBEAT,
                        1,
                        new ConsumerGroupHeartbeatRequestData());
        Images without = new Images();
        new ConsumerGroupHeartbeatHandler(coordinator.coordinator(), without::image).handle(early);
        assertEquals(Errors.UNSUPPORTED_VERSION, early.error());

        RecordingRequest served =
                new RecordingRequest(
                        ApiKeys.CONSUMER_GROUP_HEARTBEAT,
                        1,
                        new ConsumerGroupHeartbeatRequestData());
        Images with = new Images().feature("group.version", 1);
        new ConsumerGroupHeartbeatHandler(coordinator.coordinator(), with::image).handle(served);
        assertEquals(answer, served.reply(ConsumerGroupHeartbeatResponseData.class));
    }
}
