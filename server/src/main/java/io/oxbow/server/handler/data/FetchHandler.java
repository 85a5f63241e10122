// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.data;

import io.oxbow.base.time.Clock;
import io.oxbow.server.api.ApiHandler;
import io.oxbow.server.api.Request;
import io.oxbow.server.handler.data.FetchCall.FetchTools;
import io.oxbow.server.handler.data.FetchCall.Terms;
import io.oxbow.server.handler.data.FetchSessions.Entry;
import io.oxbow.storage.log.ReadRequest.Isolation;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.protocol.ApiKeys;

/**
 * Fetch (key 1): finds the client's session and starts a {@link FetchCall} over its partitions.
 * Records are sent as ranges of their files; no byte of them passes through here.
 */
public final class FetchHandler implements ApiHandler {
    private static final int FIRST_VERSION_WITH_IDS = 13;
    private static final int FIRST_VERSION_WITH_REPLICA_STATE = 15;
    private static final int CONSUMER = -1;
    private static final byte READ_COMMITTED = 1;

    private final FetchTools tools;
    private final FetchSessions sessions;
    private final Clock clock;
    private final int maxBytes;

    /**
     * @param maxBytes most bytes of records in one response ({@code fetch.max.bytes})
     */
    FetchHandler(FetchTools tools, FetchSessions sessions, Clock clock, int maxBytes) {
        this.tools = tools;
        this.sessions = sessions;
        this.clock = clock;
        this.maxBytes = maxBytes;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.FETCH;
    }

    @Override
    public void handle(Request request) {
        FetchRequestData body = (FetchRequestData) request.body();
        short version = request.header().apiVersion();
        boolean byTopicId = version >= FIRST_VERSION_WITH_IDS;
        Entry entry = sessions.enter(body, byTopicId, clock.nanos());
        if (entry.session() == null) {
            request.reply(new FetchResponseData().setErrorCode(entry.error().code()));
            return;
        }
        int replica = replica(body, version);
        FetchAnswer answer = new FetchAnswer(request, tools.leaders(), entry.full(), replica >= 0);
        Terms terms =
                new Terms(
                        body.maxWaitMs(),
                        body.minBytes(),
                        Math.min(body.maxBytes(), maxBytes),
                        isolation(body, replica));
        new FetchCall(request, terms, entry.session(), tools, answer).start();
    }

    private static int replica(FetchRequestData body, short version) {
        return version >= FIRST_VERSION_WITH_REPLICA_STATE
                ? body.replicaState().replicaId()
                : body.replicaId();
    }

    private static Isolation isolation(FetchRequestData body, int replica) {
        if (replica != CONSUMER) return Isolation.LOG_END;
        return body.isolationLevel() == READ_COMMITTED
                ? Isolation.LAST_STABLE
                : Isolation.HIGH_WATERMARK;
    }
}
