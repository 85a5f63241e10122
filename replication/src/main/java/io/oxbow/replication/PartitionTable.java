// SPDX-License-Identifier: Apache-2.0
package io.oxbow.replication;

import java.util.Collection;
import java.util.Collections;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;

/** All partitions of which this broker has a replica. Any thread reads; the reconciler writes. */
public final class PartitionTable {
    private record IdKey(Uuid topicId, int partition) {}

    // Concurrent maps: read for every produce and fetch by the network threads, changed by one.
    private final ConcurrentHashMap<TopicPartition, Partition> byName = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<IdKey, Partition> byId = new ConcurrentHashMap<>();

    /** The partition, or null if this broker has no replica of it. */
    public Partition find(TopicPartition id) {
        return byName.get(id);
    }

    /** The partition, or null if this broker has no replica of it. */
    public Partition find(Uuid topicId, int partition) {
        return byId.get(new IdKey(topicId, partition));
    }

    public Collection<Partition> all() {
        return Collections.unmodifiableCollection(byName.values());
    }

    void add(Partition partition) {
        byName.put(partition.id(), partition);
        byId.put(new IdKey(partition.topicId(), partition.id().partition()), partition);
    }

    void remove(Partition partition) {
        byName.remove(partition.id(), partition);
        byId.remove(new IdKey(partition.topicId(), partition.id().partition()), partition);
    }
}
