// SPDX-License-Identifier: Apache-2.0
package io.oxbow.controller.partition;

import java.util.Map;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.TopicImage;
import org.apache.kafka.metadata.PartitionRegistration;

/**
 * A walk over all partitions of an image. There is no index of partitions by broker or directory:
 * who needs one walks, which costs tens of nanoseconds a partition and happens when a broker or a
 * directory comes or goes, not with each heartbeat (ADR 0014).
 */
final class PartitionScan {
    private PartitionScan() {}

    /** Sees one partition. */
    @FunctionalInterface
    interface Visitor {
        void visit(TopicImage topic, int partitionId, PartitionRegistration partition);
    }

    static void forEach(MetadataImage image, Visitor visitor) {
        for (TopicImage topic : image.topics().topicsById().values()) {
            for (Map.Entry<Integer, PartitionRegistration> entry : topic.partitions().entrySet()) {
                visitor.visit(topic, entry.getKey(), entry.getValue());
            }
        }
    }
}
