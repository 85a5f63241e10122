// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.group;

import io.oxbow.server.api.ApiHandler;
import io.oxbow.server.api.Request;
import org.apache.kafka.common.message.ListGroupsRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.coordinator.group.GroupCoordinator;

/** ListGroups: the groups that this broker coordinates, by state and type if asked for. */
final class ListGroupsHandler implements ApiHandler {
    private final GroupCoordinator coordinator;

    ListGroupsHandler(GroupCoordinator coordinator) {
        this.coordinator = coordinator;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.LIST_GROUPS;
    }

    @Override
    public void handle(Request request) {
        GroupCall call = new GroupCall(request);
        call.answerWith(coordinator.listGroups(call, (ListGroupsRequestData) request.body()));
    }
}
