// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.doubles;

import io.oxbow.base.error.LogAllowance;
import io.oxbow.server.api.Answering;
import io.oxbow.server.api.Request;
import java.net.InetAddress;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.security.auth.KafkaPrincipal;

/** A request from nobody in particular; what becomes of it is its subclass's to say. */
public abstract class AnyRequest implements Request {
    private final RequestHeader header;
    private final ApiMessage body;
    private final Answering failures = new Answering(new LogAllowance(new SimTime()));

    protected AnyRequest(ApiKeys key, int version, String clientId, ApiMessage body) {
        this.header = new RequestHeader(key, (short) version, clientId, 1);
        this.body = body;
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
    public void failed(Throwable failure) {
        failures.failed(this, failure);
    }

    @Override
    public Errors errorOf(Throwable failure) {
        return failures.error(this, failure);
    }

    @Override
    public long receivedNanos() {
        return 0;
    }
}
