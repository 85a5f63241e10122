// SPDX-License-Identifier: Apache-2.0
package io.oxbow.controller;

import org.apache.kafka.common.message.AlterClientQuotasResponseData;
import org.apache.kafka.common.message.AlterPartitionReassignmentsResponseData;
import org.apache.kafka.common.message.AlterPartitionResponseData;
import org.apache.kafka.common.message.AssignReplicasToDirsResponseData;
import org.apache.kafka.common.message.CreateAclsResponseData;
import org.apache.kafka.common.message.CreatePartitionsResponseData;
import org.apache.kafka.common.message.CreateTopicsResponseData;
import org.apache.kafka.common.message.DeleteAclsResponseData;
import org.apache.kafka.common.message.DeleteTopicsResponseData;
import org.apache.kafka.common.message.ElectLeadersResponseData;
import org.apache.kafka.common.message.IncrementalAlterConfigsResponseData;
import org.apache.kafka.common.message.UpdateFeaturesResponseData;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;

/** Finds the error in a reply. */
final class Replies {
    private Replies() {}

    /** The code of the whole reply, else that of its first item. */
    static Errors firstError(ApiMessage reply) {
        return Errors.forCode(
                switch (reply) {
                    case CreateTopicsResponseData data ->
                            data.topics().iterator().next().errorCode();
                    case DeleteTopicsResponseData data ->
                            data.responses().iterator().next().errorCode();
                    case CreatePartitionsResponseData data -> data.results().getFirst().errorCode();
                    case IncrementalAlterConfigsResponseData data ->
                            data.responses().getFirst().errorCode();
                    case AlterClientQuotasResponseData data ->
                            data.entries().getFirst().errorCode();
                    case CreateAclsResponseData data -> data.results().getFirst().errorCode();
                    case DeleteAclsResponseData data -> data.filterResults().getFirst().errorCode();
                    case UpdateFeaturesResponseData data -> data.errorCode();
                    case ElectLeadersResponseData data ->
                            data.replicaElectionResults().isEmpty()
                                    ? data.errorCode()
                                    : data.replicaElectionResults()
                                            .getFirst()
                                            .partitionResult()
                                            .getFirst()
                                            .errorCode();
                    case AlterPartitionReassignmentsResponseData data ->
                            data.responses().getFirst().partitions().getFirst().errorCode();
                    case AlterPartitionResponseData data ->
                            data.topics().isEmpty()
                                    ? data.errorCode()
                                    : data.topics().getFirst().partitions().getFirst().errorCode();
                    case AssignReplicasToDirsResponseData data ->
                            data.directories().isEmpty()
                                    ? data.errorCode()
                                    : data.directories()
                                            .getFirst()
                                            .topics()
                                            .getFirst()
                                            .partitions()
                                            .getFirst()
                                            .errorCode();
                    default -> throw new IllegalArgumentException(reply.getClass().getName());
                });
    }
}
