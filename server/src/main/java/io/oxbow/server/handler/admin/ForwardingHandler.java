// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.admin;

import io.oxbow.server.api.ApiHandler;
import io.oxbow.server.api.Request;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;

/** One key that somebody else answers, the active controller or raft: it is only sent on. */
public final class ForwardingHandler implements ApiHandler {

    /** This node's part in the metadata quorum; a port to {@code MetadataNode.handle}. */
    @FunctionalInterface
    public interface Quorum {
        CompletableFuture<ApiMessage> handle(
                String listener, int correlationId, short apiVersion, ApiMessage request);
    }

    /** Keys of a broker's listener that are answered by the controller alone. */
    private static final Set<ApiKeys> BROKER_KEYS =
            EnumSet.of(
                    ApiKeys.CREATE_TOPICS,
                    ApiKeys.DELETE_TOPICS,
                    ApiKeys.CREATE_PARTITIONS,
                    ApiKeys.ALTER_CONFIGS,
                    ApiKeys.ELECT_LEADERS,
                    ApiKeys.ALTER_PARTITION_REASSIGNMENTS,
                    ApiKeys.LIST_PARTITION_REASSIGNMENTS,
                    ApiKeys.ALTER_CLIENT_QUOTAS,
                    ApiKeys.ALTER_USER_SCRAM_CREDENTIALS,
                    ApiKeys.UPDATE_FEATURES,
                    ApiKeys.UNREGISTER_BROKER,
                    ApiKeys.UNREGISTER_CONTROLLER);

    /** Keys that only a controller's listener has besides. */
    private static final Set<ApiKeys> CONTROLLER_KEYS =
            EnumSet.of(
                    ApiKeys.BROKER_REGISTRATION,
                    ApiKeys.BROKER_HEARTBEAT,
                    ApiKeys.CONTROLLER_REGISTRATION,
                    ApiKeys.ALTER_PARTITION,
                    ApiKeys.ALLOCATE_PRODUCER_IDS,
                    ApiKeys.ASSIGN_REPLICAS_TO_DIRS);

    /** Keys of a controller's listener that its raft client answers. */
    private static final Set<ApiKeys> QUORUM_KEYS =
            EnumSet.of(
                    ApiKeys.VOTE,
                    ApiKeys.BEGIN_QUORUM_EPOCH,
                    ApiKeys.END_QUORUM_EPOCH,
                    ApiKeys.FETCH,
                    ApiKeys.FETCH_SNAPSHOT,
                    ApiKeys.DESCRIBE_QUORUM,
                    ApiKeys.ADD_RAFT_VOTER,
                    ApiKeys.REMOVE_RAFT_VOTER,
                    ApiKeys.UPDATE_RAFT_VOTER);

    private final ApiKeys key;
    private final Function<Request, CompletableFuture<ApiMessage>> other;

    private ForwardingHandler(ApiKeys key, Function<Request, CompletableFuture<ApiMessage>> other) {
        this.key = key;
        this.other = other;
    }

    /** What a broker's listener has. */
    public static List<ApiHandler> forBrokers(Forwarding controller, Quorum quorum) {
        List<ApiHandler> all = new ArrayList<>();
        for (ApiKeys each : BROKER_KEYS) all.add(toController(each, controller));
        all.add(toQuorum(ApiKeys.DESCRIBE_QUORUM, quorum));
        return all;
    }

    /** What a controller's listener has. */
    public static List<ApiHandler> forControllers(Forwarding controller, Quorum quorum) {
        List<ApiHandler> all = new ArrayList<>();
        for (ApiKeys each : BROKER_KEYS) all.add(toController(each, controller));
        for (ApiKeys each : CONTROLLER_KEYS) all.add(toController(each, controller));
        for (ApiKeys each : QUORUM_KEYS) all.add(toQuorum(each, quorum));
        return all;
    }

    static ForwardingHandler toController(ApiKeys key, Forwarding controller) {
        return new ForwardingHandler(key, request -> controller.send(request, request.body()));
    }

    private static ForwardingHandler toQuorum(ApiKeys key, Quorum quorum) {
        return new ForwardingHandler(
                key,
                request ->
                        quorum.handle(
                                request.listener(),
                                request.header().correlationId(),
                                request.header().apiVersion(),
                                request.body()));
    }

    @Override
    public ApiKeys key() {
        return key;
    }

    @Override
    public void handle(Request request) {
        Forwarding.answer(request, other.apply(request), answer -> answer);
    }
}
