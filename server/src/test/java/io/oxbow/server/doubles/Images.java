// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.doubles;

import java.util.Collections;
import java.util.List;
import org.apache.kafka.common.DirectoryId;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.metadata.FeatureLevelRecord;
import org.apache.kafka.common.metadata.PartitionRecord;
import org.apache.kafka.common.metadata.RegisterBrokerRecord;
import org.apache.kafka.common.metadata.TopicRecord;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.MetadataProvenance;
import org.apache.kafka.server.common.MetadataVersion;

/** Images built from metadata records, for tests. */
public final class Images {
    private Images() {}

    /** {@code image} after the records, each at one offset more. */
    public static MetadataImage after(MetadataImage image, ApiMessage... records) {
        MetadataDelta delta = new MetadataDelta.Builder().setImage(image).build();
        for (ApiMessage record : records) delta.replay(record);
        return delta.apply(new MetadataProvenance(image.offset() + records.length, 1, 0, true));
    }

    public static FeatureLevelRecord metadataVersion() {
        return new FeatureLevelRecord()
                .setName(MetadataVersion.FEATURE_NAME)
                .setFeatureLevel(MetadataVersion.LATEST_PRODUCTION.featureLevel());
    }

    /** A broker with listener PLAINTEXT at host b{id}, port 9092. */
    public static RegisterBrokerRecord broker(int id, long epoch, boolean fenced) {
        RegisterBrokerRecord record =
                new RegisterBrokerRecord()
                        .setBrokerId(id)
                        .setBrokerEpoch(epoch)
                        .setIncarnationId(new Uuid(500, id))
                        .setFenced(fenced)
                        .setLogDirs(List.of(new Uuid(300, id)));
        record.endPoints()
                .add(
                        new RegisterBrokerRecord.BrokerEndpoint()
                                .setName("PLAINTEXT")
                                .setHost("b" + id)
                                .setPort(9092)
                                .setSecurityProtocol((short) 0));
        return record;
    }

    public static TopicRecord topic(String name, Uuid id) {
        return new TopicRecord().setName(name).setTopicId(id);
    }

    /** A partition all of whose replicas are in sync. */
    public static PartitionRecord partition(
            Uuid topic, int index, int leader, Integer... replicas) {
        return new PartitionRecord()
                .setTopicId(topic)
                .setPartitionId(index)
                .setReplicas(List.of(replicas))
                .setIsr(List.of(replicas))
                .setLeader(leader)
                .setLeaderEpoch(1)
                .setPartitionEpoch(1)
                .setDirectories(Collections.nCopies(replicas.length, DirectoryId.UNASSIGNED));
    }
}
