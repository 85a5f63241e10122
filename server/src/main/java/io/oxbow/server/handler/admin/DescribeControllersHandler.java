// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.admin;

import io.oxbow.metadata.ImageSource;
import io.oxbow.server.api.ApiHandler;
import io.oxbow.server.api.Request;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntSupplier;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.message.DescribeClusterRequestData;
import org.apache.kafka.common.message.DescribeClusterResponseData;
import org.apache.kafka.common.message.DescribeClusterResponseData.DescribeClusterBroker;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.metadata.ControllerRegistration;

/**
 * DescribeCluster (key 60) on a controller's listener (KIP-919): the controllers that are
 * registered, and this one in any case, by that listener's addresses.
 */
public final class DescribeControllersHandler implements ApiHandler {
    private final String clusterId;
    private final ImageSource images;
    private final Map<String, Node> self;
    private final IntSupplier activeController;

    /**
     * @param self this node's address by controller listener
     * @param activeController id of the active controller, -1 if none is known
     */
    public DescribeControllersHandler(
            String clusterId,
            ImageSource images,
            Map<String, Node> self,
            IntSupplier activeController) {
        this.clusterId = clusterId;
        this.images = images;
        this.self = Map.copyOf(self);
        this.activeController = activeController;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.DESCRIBE_CLUSTER;
    }

    @Override
    public void handle(Request request) {
        DescribeClusterRequestData body = (DescribeClusterRequestData) request.body();
        Errors mismatch =
                DescribeClusterHandler.endpointError(
                        body.endpointType(), DescribeClusterHandler.CONTROLLERS);
        if (mismatch != Errors.NONE) {
            request.fail(mismatch, "This listener is a controller's: it knows controllers only.");
            return;
        }
        Map<Integer, Node> nodes = new TreeMap<>();
        Node own = self.get(request.listener());
        if (own != null) nodes.put(own.id(), own);
        for (ControllerRegistration each : images.image().cluster().controllers().values()) {
            each.node(request.listener()).ifPresent(node -> nodes.put(node.id(), node));
        }
        DescribeClusterResponseData answer =
                new DescribeClusterResponseData()
                        .setClusterId(clusterId)
                        .setEndpointType(DescribeClusterHandler.CONTROLLERS)
                        .setControllerId(activeController.getAsInt());
        if (body.includeClusterAuthorizedOperations()) {
            answer.setClusterAuthorizedOperations(AuthorizedOperations.CLUSTER);
        }
        for (Node node : nodes.values()) {
            answer.brokers()
                    .add(
                            new DescribeClusterBroker()
                                    .setBrokerId(node.id())
                                    .setHost(node.host())
                                    .setPort(node.port()));
        }
        request.reply(answer);
    }
}
