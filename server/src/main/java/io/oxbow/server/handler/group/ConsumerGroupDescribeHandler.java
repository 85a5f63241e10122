// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.group;

import io.oxbow.metadata.ImageSource;
import io.oxbow.server.api.ApiHandler;
import io.oxbow.server.api.Request;
import org.apache.kafka.common.message.ConsumerGroupDescribeRequestData;
import org.apache.kafka.common.message.ConsumerGroupDescribeResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.coordinator.group.GroupCoordinator;

/** ConsumerGroupDescribe (KIP-848): consumer groups with members, epochs and assignments. */
final class ConsumerGroupDescribeHandler implements ApiHandler {
    private final GroupCoordinator coordinator;
    private final ImageSource images;

    ConsumerGroupDescribeHandler(GroupCoordinator coordinator, ImageSource images) {
        this.coordinator = coordinator;
        this.images = images;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.CONSUMER_GROUP_DESCRIBE;
    }

    @Override
    public void handle(Request request) {
        if (!ConsumerGroupHeartbeatHandler.enabled(images.image())) {
            ConsumerGroupHeartbeatHandler.refuse(request);
            return;
        }
        GroupCall call = new GroupCall(request);
        ConsumerGroupDescribeRequestData describe =
                (ConsumerGroupDescribeRequestData) request.body();
        call.answerWith(
                coordinator.consumerGroupDescribe(call, describe.groupIds()),
                groups -> {
                    for (var group : groups) {
                        if (describe.includeAuthorizedOperations()
                                && group.errorCode() == Errors.NONE.code()) {
                            group.setAuthorizedOperations(GroupOperations.ALL);
                        }
                    }
                    return new ConsumerGroupDescribeResponseData().setGroups(groups);
                });
    }
}
