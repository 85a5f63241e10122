// SPDX-License-Identifier: Apache-2.0
package io.oxbow.replication;

import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;

/** A replica that the metadata gives to this broker. Any thread reads; the reconciler writes. */
public final class Partition {
    private final TopicPartition id;
    private final Uuid topicId;

    /** Written by the reconciler and by completions of its commands; read by every thread. */
    private volatile PartitionState state;

    Partition(TopicPartition id, Uuid topicId, PartitionState state) {
        this.id = id;
        this.topicId = topicId;
        this.state = state;
    }

    public TopicPartition id() {
        return id;
    }

    public Uuid topicId() {
        return topicId;
    }

    public PartitionState state() {
        return state;
    }

    void become(PartitionState next) {
        state = next;
    }
}
