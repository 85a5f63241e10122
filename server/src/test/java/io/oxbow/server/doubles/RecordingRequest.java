// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.doubles;

import io.oxbow.server.api.Request;
import java.net.InetAddress;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.security.auth.KafkaPrincipal;

/** A request that keeps its answer. */
public final class RecordingRequest implements Request {
    private final RequestHeader header;
    private final ApiMessage body;
    private ApiMessage reply;
    private Errors error;

    public RecordingRequest(ApiKeys key, int version, ApiMessage body) {
        this.header = new RequestHeader(key, (short) version, "test", 1);
        this.body = body;
    }

    /** The answer, which must be there and be of {@code type}. */
    public <T extends ApiMessage> T reply(Class<T> type) {
        if (reply == null) throw new AssertionError("no reply; error " + error);
        return type.cast(reply);
    }

    /** The error that it was answered with, or null. */
    public Errors error() {
        return error;
    }

    public boolean answered() {
        return reply != null || error != null;
    }

    @Override
    public void reply(ApiMessage response) {
        once();
        reply = response;
    }

    @Override
    public void fail(Errors with, String message) {
        once();
        error = with;
    }

    private void once() {
        if (answered()) throw new AssertionError("a request is answered once");
    }

    @Override
    public void replyNothing() {
        throw new AssertionError("this request has an answer");
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
}
