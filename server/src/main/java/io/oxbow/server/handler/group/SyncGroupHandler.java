// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.group;

import io.oxbow.server.api.ApiHandler;
import io.oxbow.server.api.Request;
import org.apache.kafka.common.message.SyncGroupRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.SyncGroupRequest;
import org.apache.kafka.common.utils.internals.BufferSupplier;
import org.apache.kafka.coordinator.group.GroupCoordinator;

/** SyncGroup (classic protocol): the answer is the member's assignment. */
final class SyncGroupHandler implements ApiHandler {
    private final GroupCoordinator coordinator;

    SyncGroupHandler(GroupCoordinator coordinator) {
        this.coordinator = coordinator;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.SYNC_GROUP;
    }

    @Override
    public void handle(Request request) {
        GroupCall call = new GroupCall(request);
        SyncGroupRequestData sync = (SyncGroupRequestData) request.body();
        // Mandatory from version 5 on.
        if (!new SyncGroupRequest(sync, call.version()).areMandatoryProtocolTypeAndNamePresent()) {
            request.fail(Errors.INCONSISTENT_GROUP_PROTOCOL, "protocol type and name are required");
            return;
        }
        call.answerWith(coordinator.syncGroup(call, sync, BufferSupplier.NO_CACHING));
    }
}
