// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.admin;

import io.oxbow.server.api.ApiHandler;
import io.oxbow.server.api.Request;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.protocol.ApiKeys;

/** One key that the active controller answers: the broker only sends it on. */
public final class ForwardingHandler implements ApiHandler {

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

    private final ApiKeys key;
    private final Forwarding forwarding;

    public ForwardingHandler(ApiKeys key, Forwarding forwarding) {
        this.key = key;
        this.forwarding = forwarding;
    }

    /** For a broker's listener. */
    public static List<ApiHandler> forBrokers(Forwarding forwarding) {
        return all(BROKER_KEYS, forwarding);
    }

    /** For a controller's listener. */
    public static List<ApiHandler> forControllers(Forwarding forwarding) {
        Set<ApiKeys> keys = EnumSet.copyOf(BROKER_KEYS);
        keys.addAll(CONTROLLER_KEYS);
        return all(keys, forwarding);
    }

    private static List<ApiHandler> all(Set<ApiKeys> keys, Forwarding forwarding) {
        return keys.stream()
                .<ApiHandler>map(key -> new ForwardingHandler(key, forwarding))
                .toList();
    }

    @Override
    public ApiKeys key() {
        return key;
    }

    @Override
    public void handle(Request request) {
        forwarding.forward(request);
    }
}
