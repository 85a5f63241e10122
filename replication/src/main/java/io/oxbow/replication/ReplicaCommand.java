// SPDX-License-Identifier: Apache-2.0
package io.oxbow.replication;

import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;

/** One thing to do so that this broker becomes what a new image says; see {@link ReplicaDiff}. */
sealed interface ReplicaCommand {

    /** The broker has a replica that it had not before. */
    record Adopt(ReplicaAssignment assignment) implements ReplicaCommand {}

    /** A replica that it has got another role, epoch, ISR or directory. */
    record Change(ReplicaAssignment assignment) implements ReplicaCommand {}

    /** The topic is gone, or this replica of it is: the log is deleted. */
    record Release(TopicPartition id, Uuid topicId) implements ReplicaCommand {}

    /** The topic's own configuration has changed. */
    record Reconfigure(String topic) implements ReplicaCommand {}

    /** The broker's or the cluster's configuration has changed: any topic may be affected. */
    record ReconfigureAll() implements ReplicaCommand {}
}
