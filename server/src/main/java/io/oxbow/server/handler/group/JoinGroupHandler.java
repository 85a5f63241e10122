// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.group;

import io.oxbow.server.api.ApiHandler;
import io.oxbow.server.api.Request;
import org.apache.kafka.common.message.JoinGroupRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.JoinGroupRequest;
import org.apache.kafka.common.requests.JoinGroupResponse;
import org.apache.kafka.common.utils.internals.BufferSupplier;
import org.apache.kafka.coordinator.group.GroupCoordinator;

/** JoinGroup (classic protocol): the answer comes when the rebalance is complete. */
final class JoinGroupHandler implements ApiHandler {
    private final GroupCoordinator coordinator;

    JoinGroupHandler(GroupCoordinator coordinator) {
        this.coordinator = coordinator;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.JOIN_GROUP;
    }

    @Override
    public void handle(Request request) {
        GroupCall call = new GroupCall(request);
        // Its constructor gives version 0 a rebalance time-out, the response's older versions a
        // name.
        JoinGroupRequestData join =
                new JoinGroupRequest((JoinGroupRequestData) request.body(), call.version()).data();
        call.answerWith(
                coordinator.joinGroup(call, join, BufferSupplier.NO_CACHING),
                response -> new JoinGroupResponse(response, call.version()).data());
    }
}
