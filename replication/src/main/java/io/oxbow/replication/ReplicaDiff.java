// SPDX-License-Identifier: Apache-2.0
package io.oxbow.replication;

import io.oxbow.replication.ReplicaCommand.Adopt;
import io.oxbow.replication.ReplicaCommand.Change;
import io.oxbow.replication.ReplicaCommand.Reconfigure;
import io.oxbow.replication.ReplicaCommand.ReconfigureAll;
import io.oxbow.replication.ReplicaCommand.Release;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.image.ConfigurationImage;
import org.apache.kafka.image.ConfigurationsImage;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.TopicImage;
import org.apache.kafka.image.TopicsImage;
import org.apache.kafka.metadata.PartitionRegistration;

/**
 * What a broker has to do when one committed image follows another: a pure function of the two.
 *
 * <p>Images share what did not change, so unchanged parts are told by identity, and the work is
 * proportional to the topics that changed. The order of the answer: replicas of deleted topics
 * whose name is in use again, then roles that lead, then other roles, then configurations, then the
 * remaining deletions. Leadership comes first because clients wait for it.
 */
// Images share unchanged parts: identity is a quick and sure sign of "the same".
@SuppressWarnings("ReferenceEquality")
final class ReplicaDiff {
    private final List<Release> renamed = new ArrayList<>();
    private final List<ReplicaCommand> leading = new ArrayList<>();
    private final List<ReplicaCommand> adoptedLeading = new ArrayList<>();
    private final List<ReplicaCommand> following = new ArrayList<>();
    private final List<ReplicaCommand> configs = new ArrayList<>();
    private final List<Release> released = new ArrayList<>();
    private final int nodeId;

    private ReplicaDiff(int nodeId) {
        this.nodeId = nodeId;
    }

    /** The commands that lead from {@code before} to {@code after} on broker {@code nodeId}. */
    static List<ReplicaCommand> between(MetadataImage before, MetadataImage after, int nodeId) {
        ReplicaDiff diff = new ReplicaDiff(nodeId);
        if (before.topics() != after.topics()) diff.topics(before.topics(), after.topics());
        if (before.configs() != after.configs()) diff.configs(before.configs(), after.configs());
        return diff.inOrder();
    }

    private List<ReplicaCommand> inOrder() {
        List<ReplicaCommand> all = new ArrayList<>(renamed);
        all.addAll(leading);
        all.addAll(adoptedLeading);
        all.addAll(following);
        all.addAll(configs);
        all.addAll(released);
        return all;
    }

    private void topics(TopicsImage before, TopicsImage after) {
        for (TopicImage topic : after.topicsById().values()) {
            TopicImage known = before.getTopic(topic.id());
            if (known != topic) topic(known, topic);
        }
        for (TopicImage topic : before.topicsById().values()) {
            if (after.getTopic(topic.id()) != null) continue;
            boolean nameInUse = after.getTopic(topic.name()) != null;
            topic.partitions()
                    .forEach(
                            (index, partition) -> {
                                ReplicaAssignment was = assignment(topic, index, partition);
                                if (was == null) return;
                                Release release = new Release(was.id(), was.topicId());
                                (nameInUse ? renamed : released).add(release);
                            });
        }
    }

    private void topic(TopicImage before, TopicImage after) {
        for (Map.Entry<Integer, PartitionRegistration> entry : after.partitions().entrySet()) {
            int index = entry.getKey();
            PartitionRegistration known = before == null ? null : before.partitions().get(index);
            if (known == entry.getValue()) continue;
            ReplicaAssignment was = known == null ? null : assignment(before, index, known);
            ReplicaAssignment now = assignment(after, index, entry.getValue());
            if (now == null) {
                if (was != null) released.add(new Release(was.id(), was.topicId()));
            } else if (was == null) {
                (now.leads() ? adoptedLeading : following).add(new Adopt(now));
            } else if (!was.equals(now)) {
                (now.leads() ? leading : following).add(new Change(now));
            }
        }
    }

    private ReplicaAssignment assignment(
            TopicImage topic, int index, PartitionRegistration partition) {
        return ReplicaAssignment.of(
                new TopicPartition(topic.name(), index), topic.id(), partition, nodeId);
    }

    private void configs(ConfigurationsImage before, ConfigurationsImage after) {
        if (changed(before, after, brokerResource("")) // the cluster's defaults
                || changed(before, after, brokerResource(Integer.toString(nodeId)))) {
            configs.add(new ReconfigureAll());
            return;
        }
        Set<ConfigResource> resources = new HashSet<>(before.resourceData().keySet());
        resources.addAll(after.resourceData().keySet());
        for (ConfigResource resource : resources) {
            if (resource.type() != ConfigResource.Type.TOPIC) continue;
            if (changed(before, after, resource)) configs.add(new Reconfigure(resource.name()));
        }
    }

    private static boolean changed(
            ConfigurationsImage before, ConfigurationsImage after, ConfigResource resource) {
        ConfigurationImage was = before.resourceData().get(resource);
        ConfigurationImage now = after.resourceData().get(resource);
        if (was == now) return false;
        return was == null || now == null || !was.toMap().equals(now.toMap());
    }

    private static ConfigResource brokerResource(String name) {
        return new ConfigResource(ConfigResource.Type.BROKER, name);
    }
}
