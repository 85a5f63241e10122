// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.group;

import io.oxbow.server.api.ApiHandler;
import io.oxbow.server.api.Request;
import java.util.List;
import org.apache.kafka.common.message.LeaveGroupRequestData;
import org.apache.kafka.common.message.LeaveGroupRequestData.MemberIdentity;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.LeaveGroupResponse;
import org.apache.kafka.coordinator.group.GroupCoordinator;

/** LeaveGroup: one member until version 2, a list of them since. */
final class LeaveGroupHandler implements ApiHandler {
    private final GroupCoordinator coordinator;

    LeaveGroupHandler(GroupCoordinator coordinator) {
        this.coordinator = coordinator;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.LEAVE_GROUP;
    }

    @Override
    public void handle(Request request) {
        GroupCall call = new GroupCall(request);
        LeaveGroupRequestData leave = (LeaveGroupRequestData) request.body();
        if (call.version() < 3) leave = oneMember(leave);
        call.answerWith(
                coordinator.leaveGroup(call, leave),
                response -> new LeaveGroupResponse(response, call.version()).data());
    }

    private static LeaveGroupRequestData oneMember(LeaveGroupRequestData leave) {
        return new LeaveGroupRequestData()
                .setGroupId(leave.groupId())
                .setMembers(List.of(new MemberIdentity().setMemberId(leave.memberId())));
    }
}
