// SPDX-License-Identifier: Apache-2.0
package io.oxbow.controller;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.clients.admin.FeatureUpdate.UpgradeType;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.AlterClientQuotasRequestData;
import org.apache.kafka.common.message.AlterPartitionReassignmentsRequestData;
import org.apache.kafka.common.message.CreateAclsRequestData;
import org.apache.kafka.common.message.CreatePartitionsRequestData;
import org.apache.kafka.common.message.CreatePartitionsRequestData.CreatePartitionsAssignment;
import org.apache.kafka.common.message.CreatePartitionsRequestData.CreatePartitionsTopic;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableReplicaAssignment;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopic;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopicConfig;
import org.apache.kafka.common.message.DeleteAclsRequestData;
import org.apache.kafka.common.message.DeleteTopicsRequestData;
import org.apache.kafka.common.message.DeleteTopicsRequestData.DeleteTopicState;
import org.apache.kafka.common.message.ElectLeadersRequestData;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData;
import org.apache.kafka.common.message.UpdateFeaturesRequestData;

/** Short ways to write requests. */
public final class Requests {
    private Requests() {}

    public static CreatableTopic topic(String name, int partitions, int replicationFactor) {
        return new CreatableTopic()
                .setName(name)
                .setNumPartitions(partitions)
                .setReplicationFactor((short) replicationFactor);
    }

    public static CreatableTopic topic(String name, Map<Integer, List<Integer>> assignment) {
        CreatableTopic topic = topic(name, -1, -1);
        new TreeMap<>(assignment)
                .forEach(
                        (partition, brokers) ->
                                topic.assignments()
                                        .add(
                                                new CreatableReplicaAssignment()
                                                        .setPartitionIndex(partition)
                                                        .setBrokerIds(brokers)));
        return topic;
    }

    public static CreatableTopic with(CreatableTopic topic, String key, String value) {
        topic.configs().add(new CreatableTopicConfig().setName(key).setValue(value));
        return topic;
    }

    public static CreateTopicsRequestData createTopics(CreatableTopic... topics) {
        return SimController.createRequest(topics);
    }

    public static DeleteTopicsRequestData delete(String name) {
        return new DeleteTopicsRequestData()
                .setTopics(List.of(new DeleteTopicState().setName(name)));
    }

    public static DeleteTopicsRequestData delete(Uuid id) {
        return new DeleteTopicsRequestData()
                .setTopics(List.of(new DeleteTopicState().setName(null).setTopicId(id)));
    }

    public static CreatePartitionsRequestData grow(String name, int count) {
        return grow(name, count, null);
    }

    public static CreatePartitionsRequestData grow(
            String name, int count, List<List<Integer>> assignments) {
        CreatePartitionsTopic topic =
                new CreatePartitionsTopic().setName(name).setCount(count).setAssignments(null);
        if (assignments != null) {
            topic.setAssignments(
                    assignments.stream()
                            .map(ids -> new CreatePartitionsAssignment().setBrokerIds(ids))
                            .toList());
        }
        CreatePartitionsRequestData request = new CreatePartitionsRequestData();
        request.topics().add(topic);
        return request;
    }

    /** One operation on a configuration. */
    public record Op(String key, String value, OpType type) {}

    public static Op set(String key, String value) {
        return new Op(key, value, OpType.SET);
    }

    public static Op unset(String key) {
        return new Op(key, "", OpType.DELETE);
    }

    public static Op append(String key, String value) {
        return new Op(key, value, OpType.APPEND);
    }

    public static Op subtract(String key, String value) {
        return new Op(key, value, OpType.SUBTRACT);
    }

    public static IncrementalAlterConfigsRequestData configure(
            ConfigResource.Type type, String name, Op... ops) {
        var resource =
                new IncrementalAlterConfigsRequestData.AlterConfigsResource()
                        .setResourceType(type.id())
                        .setResourceName(name);
        for (Op op : ops) {
            resource.configs()
                    .add(
                            new IncrementalAlterConfigsRequestData.AlterableConfig()
                                    .setName(op.key())
                                    .setValue(op.value())
                                    .setConfigOperation(op.type().id()));
        }
        IncrementalAlterConfigsRequestData request = new IncrementalAlterConfigsRequestData();
        request.resources().add(resource);
        return request;
    }

    /**
     * One quota of one entity.
     *
     * @param value null removes it
     */
    public static AlterClientQuotasRequestData quota(
            Map<String, String> entity, String key, Double value) {
        var entry = new AlterClientQuotasRequestData.EntryData();
        new TreeMap<>(entity)
                .forEach(
                        (type, name) ->
                                entry.entity()
                                        .add(
                                                new AlterClientQuotasRequestData.EntityData()
                                                        .setEntityType(type)
                                                        .setEntityName(name)));
        entry.ops()
                .add(
                        new AlterClientQuotasRequestData.OpData()
                                .setKey(key)
                                .setRemove(value == null)
                                .setValue(value == null ? 0 : value));
        return new AlterClientQuotasRequestData().setEntries(List.of(entry));
    }

    public static CreateAclsRequestData.AclCreation acl(
            int resource, String name, String principal, String host, int operation) {
        return new CreateAclsRequestData.AclCreation()
                .setResourceType((byte) resource)
                .setResourceName(name)
                .setResourcePatternType((byte) 3)
                .setPrincipal(principal)
                .setHost(host)
                .setOperation((byte) operation)
                .setPermissionType((byte) 3);
    }

    public static CreateAclsRequestData acls(CreateAclsRequestData.AclCreation... acls) {
        return new CreateAclsRequestData().setCreations(List.of(acls));
    }

    public static DeleteAclsRequestData deleteAcls(int resource, String name) {
        return new DeleteAclsRequestData()
                .setFilters(
                        List.of(
                                new DeleteAclsRequestData.DeleteAclsFilter()
                                        .setResourceTypeFilter((byte) resource)
                                        .setResourceNameFilter(name)
                                        .setPatternTypeFilter((byte) 1)
                                        .setPrincipalFilter(null)
                                        .setHostFilter(null)
                                        .setOperation((byte) 1)
                                        .setPermissionType((byte) 1)));
    }

    public static UpdateFeaturesRequestData feature(String name, int level, UpgradeType type) {
        UpdateFeaturesRequestData request = new UpdateFeaturesRequestData();
        request.featureUpdates()
                .add(
                        new UpdateFeaturesRequestData.FeatureUpdateKey()
                                .setFeature(name)
                                .setMaxVersionLevel((short) level)
                                .setUpgradeType(type.code()));
        return request;
    }

    public static ElectLeadersRequestData elect(int type, String topic, int partition) {
        ElectLeadersRequestData request =
                new ElectLeadersRequestData().setElectionType((byte) type);
        request.topicPartitions()
                .add(
                        new ElectLeadersRequestData.TopicPartitions()
                                .setTopic(topic)
                                .setPartitions(List.of(partition)));
        return request;
    }

    /**
     * A move of one partition.
     *
     * @param replicas null cancels
     */
    public static AlterPartitionReassignmentsRequestData reassign(
            String topic, int partition, List<Integer> replicas) {
        return new AlterPartitionReassignmentsRequestData()
                .setTopics(
                        List.of(
                                new AlterPartitionReassignmentsRequestData.ReassignableTopic()
                                        .setName(topic)
                                        .setPartitions(
                                                List.of(
                                                        new AlterPartitionReassignmentsRequestData
                                                                        .ReassignablePartition()
                                                                .setPartitionIndex(partition)
                                                                .setReplicas(replicas)))));
    }
}
