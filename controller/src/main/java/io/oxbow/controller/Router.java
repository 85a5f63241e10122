// SPDX-License-Identifier: Apache-2.0
package io.oxbow.controller;

import io.oxbow.base.error.BugException;
import io.oxbow.controller.acl.Acls;
import io.oxbow.controller.broker.ControllerRegistrations;
import io.oxbow.controller.broker.Fencing;
import io.oxbow.controller.broker.Heartbeats;
import io.oxbow.controller.broker.Liveness;
import io.oxbow.controller.broker.Registration;
import io.oxbow.controller.config.ConfigAlteration;
import io.oxbow.controller.credential.ScramCredentials;
import io.oxbow.controller.decide.Decision;
import io.oxbow.controller.decide.Situation;
import io.oxbow.controller.feature.FeatureUpdates;
import io.oxbow.controller.partition.DirectoryAssignments;
import io.oxbow.controller.partition.Elections;
import io.oxbow.controller.partition.IsrChanges;
import io.oxbow.controller.partition.Reassignments;
import io.oxbow.controller.producer.ProducerIdBlocks;
import io.oxbow.controller.quota.ClientQuotas;
import io.oxbow.controller.topic.PartitionGrowth;
import io.oxbow.controller.topic.TopicCreation;
import io.oxbow.controller.topic.TopicDeletion;
import io.oxbow.metadata.ControllerGateway.RequestContext;
import org.apache.kafka.common.message.AllocateProducerIdsRequestData;
import org.apache.kafka.common.message.AlterClientQuotasRequestData;
import org.apache.kafka.common.message.AlterConfigsRequestData;
import org.apache.kafka.common.message.AlterPartitionReassignmentsRequestData;
import org.apache.kafka.common.message.AlterPartitionRequestData;
import org.apache.kafka.common.message.AlterUserScramCredentialsRequestData;
import org.apache.kafka.common.message.AssignReplicasToDirsRequestData;
import org.apache.kafka.common.message.BrokerHeartbeatRequestData;
import org.apache.kafka.common.message.BrokerRegistrationRequestData;
import org.apache.kafka.common.message.BrokerRegistrationResponseData;
import org.apache.kafka.common.message.ControllerRegistrationRequestData;
import org.apache.kafka.common.message.CreateAclsRequestData;
import org.apache.kafka.common.message.CreatePartitionsRequestData;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.DeleteAclsRequestData;
import org.apache.kafka.common.message.DeleteTopicsRequestData;
import org.apache.kafka.common.message.ElectLeadersRequestData;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData;
import org.apache.kafka.common.message.ListPartitionReassignmentsRequestData;
import org.apache.kafka.common.message.UnregisterBrokerRequestData;
import org.apache.kafka.common.message.UnregisterControllerRequestData;
import org.apache.kafka.common.message.UpdateFeaturesRequestData;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;

/** Which decider answers which request. Belongs to {@code oxbow-controller}. */
final class Router {
    /** The request version from which a broker says how it was shut down. */
    private static final short REGISTRATION_WITH_PREVIOUS_EPOCH = 3;

    private final Liveness liveness;
    private final FeatureUpdates.RaftVersion raft;

    Router(Liveness liveness, FeatureUpdates.RaftVersion raft) {
        this.liveness = liveness;
        this.raft = raft;
    }

    Decision<? extends ApiMessage> decide(
            Situation situation, RequestContext context, ApiMessage request, long nowNanos) {
        return switch (request) {
            case CreateTopicsRequestData data -> TopicCreation.decide(situation, data);
            case DeleteTopicsRequestData data -> TopicDeletion.decide(situation, data);
            case CreatePartitionsRequestData data -> PartitionGrowth.decide(situation, data);
            case IncrementalAlterConfigsRequestData data ->
                    ConfigAlteration.incremental(situation, data);
            case AlterConfigsRequestData data -> ConfigAlteration.legacy(situation, data);
            case AllocateProducerIdsRequestData data -> ProducerIdBlocks.decide(situation, data);
            case BrokerRegistrationRequestData data -> register(situation, context, data, nowNanos);
            case BrokerHeartbeatRequestData data ->
                    Heartbeats.decide(situation, liveness, data, nowNanos);
            case AlterPartitionRequestData data -> IsrChanges.decide(situation, data);
            case AssignReplicasToDirsRequestData data ->
                    DirectoryAssignments.decide(situation, data);
            case ElectLeadersRequestData data -> Elections.decide(situation, data);
            case AlterPartitionReassignmentsRequestData data ->
                    Reassignments.alter(situation, data);
            case ListPartitionReassignmentsRequestData data -> Reassignments.list(situation, data);
            case UpdateFeaturesRequestData data ->
                    FeatureUpdates.decide(situation, raft, data, context.apiVersion());
            case AlterClientQuotasRequestData data -> ClientQuotas.decide(situation, data);
            case CreateAclsRequestData data -> Acls.create(situation, data);
            case DeleteAclsRequestData data -> Acls.delete(situation, data);
            case UnregisterBrokerRequestData data -> Fencing.unregister(situation, data);
            case ControllerRegistrationRequestData data ->
                    ControllerRegistrations.decide(situation, data);
            case UnregisterControllerRequestData data ->
                    ControllerRegistrations.unregister(situation, data);
            case AlterUserScramCredentialsRequestData data ->
                    ScramCredentials.decide(situation, data);
            default ->
                    throw new BugException(
                            "The controller has no decider for " + request.getClass().getName());
        };
    }

    private Decision<BrokerRegistrationResponseData> register(
            Situation situation,
            RequestContext context,
            BrokerRegistrationRequestData request,
            long nowNanos) {
        Decision<BrokerRegistrationResponseData> decision =
                Registration.decide(
                        situation,
                        request,
                        context.apiVersion() >= REGISTRATION_WITH_PREVIOUS_EPOCH,
                        liveness.isAlive(request.brokerId(), nowNanos));
        if (decision.reply().errorCode() == Errors.NONE.code()) {
            liveness.restart(request.brokerId(), nowNanos);
        }
        return decision;
    }
}
