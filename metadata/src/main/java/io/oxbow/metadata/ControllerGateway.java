// SPDX-License-Identifier: Apache-2.0
package io.oxbow.metadata;

import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.protocol.ApiMessage;

/**
 * The way to the active controller, wherever it is. Any thread; never blocks.
 *
 * <p>One method for every request that a controller answers: CreateTopics, CreatePartitions,
 * DeleteTopics, (Incremental)AlterConfigs, BrokerRegistration, BrokerHeartbeat, UnregisterBroker,
 * AllocateProducerIds, UpdateFeatures, AlterPartition, AssignReplicasToDirs, ElectLeaders,
 * AlterPartitionReassignments, ListPartitionReassignments, AlterClientQuotas, CreateAcls,
 * DeleteAcls, ...: a {@code XRequestData} of kafka-clients in, the {@code XResponseData} out.
 */
public interface ControllerGateway {

    /**
     * Sends a request to the active controller.
     *
     * @param context who asks, and until when an answer is of use
     * @param request a request's data; not changed and not to be changed afterwards
     * @return the response's data, completed when what it promises is committed; every refusal is
     *     an error code in it. Fails with {@link io.oxbow.base.error.RetriableException} if there
     *     is no active controller.
     */
    CompletableFuture<ApiMessage> send(RequestContext context, ApiMessage request);

    /**
     * Who asks.
     *
     * @param principal e.g. "User:ANONYMOUS"
     * @param apiVersion the version that the client spoke, where behaviour depends on it
     * @param deadlineNanos on the injected clock
     */
    record RequestContext(
            String principal, String clientId, short apiVersion, long deadlineNanos) {}
}
