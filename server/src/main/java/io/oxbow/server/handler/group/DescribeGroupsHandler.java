// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.group;

import io.oxbow.server.api.ApiHandler;
import io.oxbow.server.api.Request;
import org.apache.kafka.common.message.DescribeGroupsRequestData;
import org.apache.kafka.common.message.DescribeGroupsResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.coordinator.group.GroupCoordinator;

/** DescribeGroups: classic groups with their members. */
final class DescribeGroupsHandler implements ApiHandler {
    private final GroupCoordinator coordinator;

    DescribeGroupsHandler(GroupCoordinator coordinator) {
        this.coordinator = coordinator;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.DESCRIBE_GROUPS;
    }

    @Override
    public void handle(Request request) {
        GroupCall call = new GroupCall(request);
        DescribeGroupsRequestData describe = (DescribeGroupsRequestData) request.body();
        boolean withOperations = describe.includeAuthorizedOperations() && call.version() >= 3;
        call.answerWith(
                coordinator.describeGroups(call, describe.groups()),
                groups -> {
                    for (var group : groups) {
                        if (withOperations && group.errorCode() == Errors.NONE.code()) {
                            group.setAuthorizedOperations(GroupOperations.ALL);
                        }
                    }
                    return new DescribeGroupsResponseData().setGroups(groups);
                });
    }
}
