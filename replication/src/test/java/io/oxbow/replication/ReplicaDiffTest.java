// SPDX-License-Identifier: Apache-2.0
package io.oxbow.replication;

import static io.oxbow.replication.Images.after;
import static io.oxbow.replication.Images.config;
import static io.oxbow.replication.Images.partition;
import static io.oxbow.replication.Images.removed;
import static io.oxbow.replication.Images.topic;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.oxbow.replication.ReplicaCommand.Adopt;
import io.oxbow.replication.ReplicaCommand.Change;
import io.oxbow.replication.ReplicaCommand.Reconfigure;
import io.oxbow.replication.ReplicaCommand.ReconfigureAll;
import io.oxbow.replication.ReplicaCommand.Release;
import java.util.List;
import org.apache.kafka.common.DirectoryId;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.metadata.FenceBrokerRecord;
import org.apache.kafka.common.metadata.PartitionChangeRecord;
import org.apache.kafka.common.metadata.RegisterBrokerRecord;
import org.apache.kafka.image.MetadataImage;
import org.junit.jupiter.api.Test;

class ReplicaDiffTest {
    private static final int ME = 1;
    private static final Uuid ORDERS = new Uuid(1, 1);
    private static final Uuid LOGS = new Uuid(2, 2);
    private static final Uuid DIRECTORY = new Uuid(300, 1);

    @Test
    void shouldAdoptOnlyReplicasOfThisBroker() {
        MetadataImage now =
                after(
                        MetadataImage.EMPTY,
                        topic("orders", ORDERS),
                        partition(ORDERS, 0, ME, ME, 2),
                        partition(ORDERS, 1, 2, 2, 3));

        assertEquals(
                List.of(
                        new Adopt(
                                new ReplicaAssignment(
                                        new TopicPartition("orders", 0),
                                        ORDERS,
                                        DirectoryId.UNASSIGNED,
                                        ME,
                                        1,
                                        2,
                                        2,
                                        true))),
                ReplicaDiff.between(MetadataImage.EMPTY, now, ME));
    }

    @Test
    void shouldSayNothingWhenOnlyTheClusterChanged() {
        MetadataImage before =
                after(
                        MetadataImage.EMPTY,
                        new RegisterBrokerRecord().setBrokerId(ME),
                        topic("orders", ORDERS),
                        partition(ORDERS, 0, ME, ME));
        MetadataImage now = after(before, new FenceBrokerRecord().setId(ME));

        assertEquals(List.of(), ReplicaDiff.between(before, now, ME));
    }

    @Test
    void shouldPutLeadershipFirst() {
        MetadataImage before =
                after(
                        MetadataImage.EMPTY,
                        topic("logs", LOGS),
                        partition(LOGS, 0, 2, 2, ME),
                        partition(LOGS, 1, ME, 2, ME),
                        topic("orders", ORDERS),
                        partition(ORDERS, 0, ME, ME));
        MetadataImage now =
                after(
                        before,
                        removed(ORDERS),
                        config(ConfigResource.Type.TOPIC, "logs", "retention.ms", "1"),
                        partition(LOGS, 2, 2, 2, ME),
                        partition(LOGS, 3, ME, 2, ME),
                        leader(LOGS, 1, 2),
                        leader(LOGS, 0, ME));

        List<ReplicaCommand> commands = ReplicaDiff.between(before, now, ME);

        assertEquals(6, commands.size(), commands.toString());
        assertEquals(
                0, assertInstanceOf(Change.class, commands.get(0)).assignment().id().partition());
        assertEquals(
                3, assertInstanceOf(Adopt.class, commands.get(1)).assignment().id().partition());
        assertEquals(new Reconfigure("logs"), commands.get(4));
        assertEquals(new Release(new TopicPartition("orders", 0), ORDERS), commands.get(5));
    }

    @Test
    void shouldReleaseBeforeAdoptingATopicOfTheSameName() {
        MetadataImage before =
                after(MetadataImage.EMPTY, topic("orders", ORDERS), partition(ORDERS, 0, ME, ME));
        MetadataImage now =
                after(before, removed(ORDERS), topic("orders", LOGS), partition(LOGS, 0, ME, ME));

        List<ReplicaCommand> commands = ReplicaDiff.between(before, now, ME);

        assertEquals(new Release(new TopicPartition("orders", 0), ORDERS), commands.get(0));
        assertEquals(LOGS, assertInstanceOf(Adopt.class, commands.get(1)).assignment().topicId());
    }

    @Test
    void shouldReleaseReplicaThatWasReassignedAway() {
        MetadataImage before = ordersOnTwoBrokers();
        MetadataImage now =
                after(
                        before,
                        new PartitionChangeRecord()
                                .setTopicId(ORDERS)
                                .setPartitionId(0)
                                .setReplicas(List.of(2, 3))
                                .setIsr(List.of(2))
                                .setLeader(2)
                                .setDirectories(
                                        List.of(DirectoryId.UNASSIGNED, DirectoryId.UNASSIGNED)));

        assertEquals(
                List.of(new Release(new TopicPartition("orders", 0), ORDERS)),
                ReplicaDiff.between(before, now, ME));
    }

    @Test
    void shouldSeeDirectoryAndIsrChanges() {
        MetadataImage before = ordersOnTwoBrokers();
        MetadataImage now =
                after(
                        before,
                        new PartitionChangeRecord()
                                .setTopicId(ORDERS)
                                .setPartitionId(0)
                                .setIsr(List.of(ME))
                                .setDirectories(List.of(DIRECTORY, DirectoryId.UNASSIGNED)));

        Change change =
                assertInstanceOf(Change.class, ReplicaDiff.between(before, now, ME).getFirst());

        assertEquals(DIRECTORY, change.assignment().directory());
        assertEquals(1, change.assignment().inSyncReplicas());
        assertEquals(true, change.assignment().soleReplica());
    }

    @Test
    void shouldIgnoreChangesOfOtherReplicas() {
        MetadataImage before = ordersOnTwoBrokers();
        MetadataImage now =
                after(
                        before,
                        new PartitionChangeRecord()
                                .setTopicId(ORDERS)
                                .setPartitionId(0)
                                .setDirectories(List.of(DirectoryId.UNASSIGNED, DIRECTORY)));

        assertEquals(List.of(), ReplicaDiff.between(before, now, ME));
    }

    @Test
    void shouldReconfigureEverythingWhenClusterDefaultsChange() {
        MetadataImage now =
                after(
                        MetadataImage.EMPTY,
                        config(ConfigResource.Type.BROKER, "", "log.retention.ms", "1"),
                        config(ConfigResource.Type.TOPIC, "orders", "retention.ms", "1"));

        assertEquals(
                List.of(new ReconfigureAll()), ReplicaDiff.between(MetadataImage.EMPTY, now, ME));
    }

    @Test
    void shouldNotReconfigureForAnotherBrokersConfig() {
        MetadataImage now =
                after(
                        MetadataImage.EMPTY,
                        config(ConfigResource.Type.BROKER, "2", "log.retention.ms", "1"));

        assertEquals(List.of(), ReplicaDiff.between(MetadataImage.EMPTY, now, ME));
    }

    private static PartitionChangeRecord leader(Uuid topicId, int index, int leader) {
        return new PartitionChangeRecord()
                .setTopicId(topicId)
                .setPartitionId(index)
                .setLeader(leader);
    }

    /** "orders" has one partition, led by this broker, with a replica on broker 2. */
    private static MetadataImage ordersOnTwoBrokers() {
        return after(MetadataImage.EMPTY, topic("orders", ORDERS), partition(ORDERS, 0, ME, ME, 2));
    }
}
