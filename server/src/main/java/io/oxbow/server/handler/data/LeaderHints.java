// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.data;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.TopicImage;
import org.apache.kafka.metadata.BrokerRegistration;
import org.apache.kafka.metadata.PartitionRegistration;

/**
 * Who leads partitions that this broker does not, by one image, and where those brokers are on the
 * client's listener (KIP-951). Used for one response.
 */
final class LeaderHints {
    private final MetadataImage image;
    private final String listener;
    private final Map<Integer, Node> nodes = new LinkedHashMap<>();

    LeaderHints(MetadataImage image, String listener) {
        this.image = image;
        this.listener = listener;
    }

    /** -1 and -1 if not known. */
    record Leader(int nodeId, int leaderEpoch) {
        static final Leader UNKNOWN = new Leader(-1, -1);
    }

    /** The leader of a partition; its address is kept for {@link #nodes}. */
    Leader leader(String topic, int partition) {
        TopicImage known = topic == null ? null : image.topics().getTopic(topic);
        PartitionRegistration registered = known == null ? null : known.partitions().get(partition);
        if (registered == null) return Leader.UNKNOWN;
        BrokerRegistration broker = image.cluster().broker(registered.leader);
        if (broker != null) {
            broker.node(listener).ifPresent(node -> nodes.put(node.id(), node));
        }
        return new Leader(registered.leader, registered.leaderEpoch);
    }

    Collection<Node> nodes() {
        return nodes.values();
    }

    static ProduceResponseData.NodeEndpoint forProduce(Node node) {
        return new ProduceResponseData.NodeEndpoint()
                .setNodeId(node.id())
                .setHost(node.host())
                .setPort(node.port())
                .setRack(node.rack());
    }

    static FetchResponseData.NodeEndpoint forFetch(Node node) {
        return new FetchResponseData.NodeEndpoint()
                .setNodeId(node.id())
                .setHost(node.host())
                .setPort(node.port())
                .setRack(node.rack());
    }
}
