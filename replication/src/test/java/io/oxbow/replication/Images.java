// SPDX-License-Identifier: Apache-2.0
package io.oxbow.replication;

import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.DirectoryId;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.metadata.ConfigRecord;
import org.apache.kafka.common.metadata.PartitionRecord;
import org.apache.kafka.common.metadata.RemoveTopicRecord;
import org.apache.kafka.common.metadata.TopicRecord;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.MetadataProvenance;

/** Images built from metadata records, for tests. */
final class Images {
    private Images() {}

    /** {@code image} after the records. */
    static MetadataImage after(MetadataImage image, ApiMessage... records) {
        MetadataDelta delta = new MetadataDelta.Builder().setImage(image).build();
        for (ApiMessage record : records) delta.replay(record);
        return delta.apply(new MetadataProvenance(image.offset() + records.length, 1, 0, true));
    }

    static TopicRecord topic(String name, Uuid id) {
        return new TopicRecord().setName(name).setTopicId(id);
    }

    static RemoveTopicRecord removed(Uuid id) {
        return new RemoveTopicRecord().setTopicId(id);
    }

    /** A partition all of whose replicas are in sync, led by {@code leader}. */
    static PartitionRecord partition(Uuid topicId, int index, int leader, Integer... replicas) {
        List<Uuid> directories = new ArrayList<>();
        while (directories.size() < replicas.length) directories.add(DirectoryId.UNASSIGNED);
        return new PartitionRecord()
                .setTopicId(topicId)
                .setPartitionId(index)
                .setReplicas(List.of(replicas))
                .setIsr(List.of(replicas))
                .setLeader(leader)
                .setLeaderEpoch(1)
                .setPartitionEpoch(1)
                .setDirectories(directories);
    }

    static ConfigRecord config(ConfigResource.Type type, String name, String key, String value) {
        return new ConfigRecord()
                .setResourceType(type.id())
                .setResourceName(name)
                .setName(key)
                .setValue(value);
    }
}
