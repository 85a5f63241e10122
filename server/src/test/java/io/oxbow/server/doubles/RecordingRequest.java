// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.doubles;

import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;

/** A request that keeps its answer. */
public final class RecordingRequest extends AnyRequest {
    private ApiMessage reply;
    private Errors error;

    public RecordingRequest(ApiKeys key, int version, ApiMessage body) {
        super(key, version, "test", body);
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

    @Override
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
}
