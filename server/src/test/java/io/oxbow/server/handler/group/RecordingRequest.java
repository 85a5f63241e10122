// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.group;

import io.oxbow.server.api.Request;
import java.net.InetAddress;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.security.auth.KafkaPrincipal;

/** A request that keeps its answer. */
final class RecordingRequest implements Request {
    private final RequestHeader header;
    private final ApiMessage body;
    private ApiMessage response;
    private Errors failure;

    RecordingRequest(ApiKeys key, int version, ApiMessage body) {
        this.header = new RequestHeader(key, (short) version, "test", 1);
        this.body = body;
    }

    <T extends ApiMessage> T response(Class<T> type) {
        return type.cast(response);
    }

    Errors failure() {
        return failure;
    }

    boolean answered() {
        return response != null || failure != null;
    }

    @Override
    public RequestHeader header() {
        return header;
    }

    @Override
    public ApiMessage body() {
        return body;
    }

    @Override
    public KafkaPrincipal principal() {
        return KafkaPrincipal.ANONYMOUS;
    }

    @Override
    public InetAddress clientAddress() {
        return InetAddress.getLoopbackAddress();
    }

    @Override
    public String listener() {
        return "PLAINTEXT";
    }

    @Override
    public long receivedNanos() {
        return 0;
    }

    @Override
    public void reply(ApiMessage message) {
        if (answered()) throw new IllegalStateException("answered twice");
        response = message;
    }

    @Override
    public void fail(Errors error, String message) {
        if (answered()) throw new IllegalStateException("answered twice");
        failure = error;
    }

    @Override
    public void replyNothing() {
        throw new UnsupportedOperationException();
    }
}
