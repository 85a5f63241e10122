// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.admin;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.common.DirectoryId;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.TopicImage;
import org.apache.kafka.metadata.BrokerRegistration;
import org.apache.kafka.metadata.PartitionRegistration;

/**
 * A cluster as the clients of one listener see it: brokers by that listener's addresses, partitions
 * with the error that a client should act on. A pure function of an image; any thread.
 */
final class ClusterView {
    private final MetadataImage image;
    private final String listener;

    ClusterView(MetadataImage image, String listener) {
        this.image = image;
        this.listener = listener;
    }

    /**
     * A partition for a client.
     *
     * @param leaderId -1 unless the leader can be reached by this listener
     */
    record PartitionView(
            int index,
            Errors error,
            int leaderId,
            int leaderEpoch,
            List<Integer> replicas,
            List<Integer> isr,
            List<Integer> offlineReplicas,
            PartitionRegistration registration) {}

    /** Brokers that serve and can be reached by this listener, by id. */
    List<Node> aliveBrokers() {
        return image.cluster().brokers().values().stream()
                .filter(broker -> !broker.fenced())
                .flatMap(broker -> broker.node(listener).stream())
                .sorted(Comparator.comparingInt(Node::id))
                .toList();
    }

    /** The broker that clients may ask for what a controller does; -1 if none serves. */
    int controllerId(int preferredBroker) {
        if (alive(preferredBroker).isPresent()) return preferredBroker;
        List<Node> nodes = aliveBrokers();
        return nodes.isEmpty() ? -1 : nodes.getFirst().id();
    }

    private Optional<Node> alive(int brokerId) {
        BrokerRegistration broker = image.cluster().broker(brokerId);
        if (broker == null || broker.fenced()) return Optional.empty();
        return broker.node(listener);
    }

    /** All partitions of a topic by index. */
    List<PartitionView> partitions(TopicImage topic) {
        List<PartitionView> views = new ArrayList<>(topic.partitions().size());
        Map<Integer, PartitionRegistration> sorted = new TreeMap<>(topic.partitions());
        sorted.forEach((index, partition) -> views.add(partition(index, partition)));
        return views;
    }

    PartitionView partition(int index, PartitionRegistration partition) {
        boolean reachable = partition.hasLeader() && alive(partition.leader).isPresent();
        return new PartitionView(
                index,
                reachable ? Errors.NONE : missingLeader(partition),
                reachable ? partition.leader : -1,
                partition.leaderEpoch,
                list(partition.replicas),
                list(partition.isr),
                offline(partition),
                partition);
    }

    /** A leader that serves but not on this listener is a fault of the configuration. */
    private Errors missingLeader(PartitionRegistration partition) {
        BrokerRegistration leader =
                partition.hasLeader() ? image.cluster().broker(partition.leader) : null;
        return leader == null || leader.fenced()
                ? Errors.LEADER_NOT_AVAILABLE
                : Errors.LISTENER_NOT_FOUND;
    }

    private List<Integer> offline(PartitionRegistration partition) {
        List<Integer> offline = new ArrayList<>(0);
        for (int replica : partition.replicas) {
            BrokerRegistration broker = image.cluster().broker(replica);
            boolean serves =
                    broker != null
                            && !broker.fenced()
                            && broker.node(listener).isPresent()
                            && DirectoryId.isOnline(
                                    partition.directory(replica), broker.directories());
            if (!serves) offline.add(replica);
        }
        return offline;
    }

    static List<Integer> list(int[] ids) {
        List<Integer> list = new ArrayList<>(ids.length);
        for (int id : ids) list.add(id);
        return list;
    }
}
