// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.group;

import io.oxbow.metadata.ImageSource;
import io.oxbow.server.api.ApiHandler;
import io.oxbow.server.api.Request;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.coordinator.group.GroupCoordinator;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.server.common.GroupVersion;

/**
 * ConsumerGroupHeartbeat (KIP-848): join, heartbeat, assignment and leave in one. Served while the
 * feature {@code group.version} is finalised at 1 or above.
 */
final class ConsumerGroupHeartbeatHandler implements ApiHandler {
    private final GroupCoordinator coordinator;
    private final ImageSource images;

    ConsumerGroupHeartbeatHandler(GroupCoordinator coordinator, ImageSource images) {
        this.coordinator = coordinator;
        this.images = images;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.CONSUMER_GROUP_HEARTBEAT;
    }

    @Override
    public void handle(Request request) {
        if (!enabled(images.image())) {
            refuse(request);
            return;
        }
        GroupCall call = new GroupCall(request);
        call.answerWith(
                coordinator.consumerGroupHeartbeat(
                        call, (ConsumerGroupHeartbeatRequestData) request.body()));
    }

    /** Whether the cluster has finalised the protocol. */
    static boolean enabled(MetadataImage image) {
        short level =
                image.features()
                        .finalizedVersions()
                        .getOrDefault(GroupVersion.FEATURE_NAME, (short) 0);
        return GroupVersion.fromFeatureLevel(level).isConsumerRebalanceProtocolSupported();
    }

    static void refuse(Request request) {
        request.fail(
                Errors.UNSUPPORTED_VERSION,
                "The cluster has not enabled the consumer group protocol: finalise the feature "
                        + GroupVersion.FEATURE_NAME
                        + " at 1");
    }
}
