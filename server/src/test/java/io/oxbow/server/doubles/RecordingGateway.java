// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.doubles;

import io.oxbow.metadata.ControllerGateway;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.protocol.ApiMessage;

/** A controller that keeps what it is asked; the test answers. */
public final class RecordingGateway implements ControllerGateway {
    public final List<ApiMessage> requests = new ArrayList<>();
    public final List<RequestContext> contexts = new ArrayList<>();
    private final List<CompletableFuture<ApiMessage>> open = new ArrayList<>();

    @Override
    public CompletableFuture<ApiMessage> send(RequestContext context, ApiMessage request) {
        requests.add(request);
        contexts.add(context);
        CompletableFuture<ApiMessage> answer = new CompletableFuture<>();
        open.add(answer);
        return answer;
    }

    /** The oldest request that has no answer, which must be of {@code type}. */
    public <T extends ApiMessage> T unanswered(Class<T> type) {
        return type.cast(requests.get(requests.size() - open.size()));
    }

    public int unanswered() {
        return open.size();
    }

    /** Answers the oldest request that has no answer. */
    public void answer(ApiMessage response) {
        open.removeFirst().complete(response);
    }

    /** Fails the oldest request that has no answer. */
    public void fail(Throwable failure) {
        open.removeFirst().completeExceptionally(failure);
    }
}
