// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.group;

import java.util.List;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.metadata.FeatureLevelRecord;
import org.apache.kafka.common.metadata.PartitionRecord;
import org.apache.kafka.common.metadata.RegisterBrokerRecord;
import org.apache.kafka.common.metadata.RegisterBrokerRecord.BrokerEndpoint;
import org.apache.kafka.common.metadata.RegisterBrokerRecord.BrokerEndpointCollection;
import org.apache.kafka.common.metadata.TopicRecord;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.MetadataProvenance;
import org.apache.kafka.server.common.MetadataVersion;

/** Makes metadata images for the tests of this package. */
final class Images {
    private final MetadataDelta delta =
            new MetadataDelta.Builder().setImage(MetadataImage.EMPTY).build();

    Images() {
        feature(MetadataVersion.FEATURE_NAME, MetadataVersion.LATEST_PRODUCTION.featureLevel());
    }

    Images feature(String name, int level) {
        delta.replay(new FeatureLevelRecord().setName(name).setFeatureLevel((short) level));
        return this;
    }

    Images broker(int id, boolean fenced) {
        BrokerEndpointCollection endpoints = new BrokerEndpointCollection();
        endpoints.add(
                new BrokerEndpoint()
                        .setName("PLAINTEXT")
                        .setHost("host" + id)
                        .setPort(9092)
                        .setSecurityProtocol((short) 0));
        delta.replay(
                new RegisterBrokerRecord()
                        .setBrokerId(id)
                        .setIncarnationId(Uuid.randomUuid())
                        .setFenced(fenced)
                        .setEndPoints(endpoints));
        return this;
    }

    Images topic(String name, Uuid id, int partitions, int leader) {
        delta.replay(new TopicRecord().setName(name).setTopicId(id));
        for (int partition = 0; partition < partitions; partition++) {
            delta.replay(
                    new PartitionRecord()
                            .setTopicId(id)
                            .setPartitionId(partition)
                            .setReplicas(List.of(1))
                            .setIsr(List.of(1))
                            .setLeader(leader)
                            .setDirectories(List.of(Uuid.randomUuid())));
        }
        return this;
    }

    MetadataImage image() {
        return delta.apply(MetadataProvenance.EMPTY);
    }
}
