// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.admin;

import io.oxbow.metadata.ImageSource;
import io.oxbow.server.api.ApiHandler;
import io.oxbow.server.api.Request;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.message.DescribeClusterRequestData;
import org.apache.kafka.common.message.DescribeClusterResponseData;
import org.apache.kafka.common.message.DescribeClusterResponseData.DescribeClusterBroker;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.metadata.BrokerRegistration;

/** DescribeCluster (key 60) on a broker's listener: the brokers, fenced ones if asked for. */
public final class DescribeClusterHandler implements ApiHandler {
    static final byte BROKERS = 1;
    static final byte CONTROLLERS = 2;

    private final int nodeId;
    private final String clusterId;
    private final ImageSource images;

    public DescribeClusterHandler(int nodeId, String clusterId, ImageSource images) {
        this.nodeId = nodeId;
        this.clusterId = clusterId;
        this.images = images;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.DESCRIBE_CLUSTER;
    }

    @Override
    public void handle(Request request) {
        DescribeClusterRequestData body = (DescribeClusterRequestData) request.body();
        Errors mismatch = endpointError(body.endpointType(), BROKERS);
        if (mismatch != Errors.NONE) {
            request.fail(mismatch, "This listener is a broker's: it knows brokers only.");
            return;
        }
        ClusterView view = new ClusterView(images.image(), request.listener());
        DescribeClusterResponseData answer =
                new DescribeClusterResponseData()
                        .setClusterId(clusterId)
                        .setEndpointType(BROKERS)
                        .setControllerId(view.controllerId(nodeId));
        if (body.includeClusterAuthorizedOperations()) {
            answer.setClusterAuthorizedOperations(AuthorizedOperations.CLUSTER);
        }
        for (BrokerRegistration broker : images.image().cluster().brokers().values()) {
            if (broker.fenced() && !body.includeFencedBrokers()) continue;
            broker.node(request.listener()).ifPresent(node -> add(answer, node, broker.fenced()));
        }
        request.reply(answer);
    }

    private static void add(DescribeClusterResponseData answer, Node node, boolean fenced) {
        answer.brokers()
                .add(
                        new DescribeClusterBroker()
                                .setBrokerId(node.id())
                                .setHost(node.host())
                                .setPort(node.port())
                                .setRack(node.rack())
                                .setIsFenced(fenced));
    }

    /** NONE if a listener that serves {@code ours} may answer for {@code asked}. */
    static Errors endpointError(byte asked, byte ours) {
        if (asked == ours) return Errors.NONE;
        return asked == BROKERS || asked == CONTROLLERS
                ? Errors.MISMATCHED_ENDPOINT_TYPE
                : Errors.UNSUPPORTED_ENDPOINT_TYPE;
    }
}
