// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.group;

import io.oxbow.server.api.ApiHandler;
import io.oxbow.server.api.Request;
import org.apache.kafka.common.message.DeleteGroupsRequestData;
import org.apache.kafka.common.message.DeleteGroupsResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.utils.internals.BufferSupplier;
import org.apache.kafka.coordinator.group.GroupCoordinator;

/** DeleteGroups: empty groups with their offsets. */
final class DeleteGroupsHandler implements ApiHandler {
    private final GroupCoordinator coordinator;

    DeleteGroupsHandler(GroupCoordinator coordinator) {
        this.coordinator = coordinator;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.DELETE_GROUPS;
    }

    @Override
    public void handle(Request request) {
        GroupCall call = new GroupCall(request);
        DeleteGroupsRequestData delete = (DeleteGroupsRequestData) request.body();
        call.answerWith(
                coordinator.deleteGroups(
                        call,
                        delete.groupsNames().stream().distinct().toList(),
                        BufferSupplier.NO_CACHING),
                results -> new DeleteGroupsResponseData().setResults(results));
    }
}
