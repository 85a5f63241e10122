// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.group;

import io.oxbow.server.api.Request;
import java.net.InetAddress;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.apache.kafka.server.authorizer.AuthorizableRequestContext;

/** A request as the coordinator library wants to see it, and the way back from its futures. */
record GroupCall(Request request) implements AuthorizableRequestContext {

    /** Answers with what {@code future} comes to, or with the error that it ends in. */
    <T> void answerWith(CompletableFuture<T> future, Function<T, ? extends ApiMessage> response) {
        request.answering(
                future,
                (result, failure) -> {
                    if (failure == null) request.reply(response.apply(result));
                    else request.failed(failure);
                });
    }

    <T extends ApiMessage> void answerWith(CompletableFuture<T> future) {
        answerWith(future, Function.identity());
    }

    short version() {
        return request.header().apiVersion();
    }

    @Override
    public String listenerName() {
        return request.listener();
    }

    /** The listeners that serve groups are plain until TLS and SASL are there. */
    @Override
    public SecurityProtocol securityProtocol() {
        return SecurityProtocol.PLAINTEXT;
    }

    @Override
    public KafkaPrincipal principal() {
        return request.principal();
    }

    @Override
    public InetAddress clientAddress() {
        return request.clientAddress();
    }

    @Override
    public int requestType() {
        return request.header().apiKey().id;
    }

    @Override
    public int requestVersion() {
        return version();
    }

    @Override
    public String clientId() {
        return request.header().clientId();
    }

    @Override
    public int correlationId() {
        return request.header().correlationId();
    }
}
