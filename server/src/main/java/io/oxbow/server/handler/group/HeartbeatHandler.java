// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.group;

import io.oxbow.server.api.ApiHandler;
import io.oxbow.server.api.Request;
import org.apache.kafka.common.message.HeartbeatRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.coordinator.group.GroupCoordinator;

/** Heartbeat of a member of a classic group. */
final class HeartbeatHandler implements ApiHandler {
    private final GroupCoordinator coordinator;

    HeartbeatHandler(GroupCoordinator coordinator) {
        this.coordinator = coordinator;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.HEARTBEAT;
    }

    @Override
    public void handle(Request request) {
        GroupCall call = new GroupCall(request);
        call.answerWith(coordinator.heartbeat(call, (HeartbeatRequestData) request.body()));
    }
}
