// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.admin;

import io.oxbow.server.api.ApiHandler;
import io.oxbow.server.api.Request;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;

/** One key that this node's raft client answers. */
public final class QuorumHandler implements ApiHandler {

    /** This node's part in the metadata quorum; a port to {@code MetadataNode.handle}. */
    @FunctionalInterface
    public interface Quorum {
        CompletableFuture<ApiMessage> handle(
                String listener, int correlationId, short apiVersion, ApiMessage request);
    }

    private static final Set<ApiKeys> CONTROLLER_KEYS =
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
    private final Quorum quorum;

    public QuorumHandler(ApiKeys key, Quorum quorum) {
        this.key = key;
        this.quorum = quorum;
    }

    /** For a controller's listener. */
    public static List<ApiHandler> forControllers(Quorum quorum) {
        return CONTROLLER_KEYS.stream()
                .<ApiHandler>map(key -> new QuorumHandler(key, quorum))
                .toList();
    }

    @Override
    public ApiKeys key() {
        return key;
    }

    @Override
    public void handle(Request request) {
        var _ =
                quorum.handle(
                                request.listener(),
                                request.header().correlationId(),
                                request.header().apiVersion(),
                                request.body())
                        .whenComplete(
                                (answer, failure) -> {
                                    if (failure == null) request.reply(answer);
                                    else Forwarding.fail(request, failure);
                                });
    }
}
