// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.api;

import io.oxbow.net.Answer;
import io.oxbow.net.Connection;
import io.oxbow.net.InboundFrame;
import io.oxbow.net.OutboundFrame;
import io.oxbow.net.ResponseSlot;
import java.net.InetAddress;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A request that came in by a {@link Connection}. The response is turned into bytes on the
 * connection's network thread when its turn has come; then, or when the connection is gone, the
 * request's frame is given back.
 */
final class NetworkRequest implements Request {
    private static final Logger log = LoggerFactory.getLogger(NetworkRequest.class);

    private final Connection connection;
    private final RequestHeader header;
    private final ApiMessage body;
    private final KafkaPrincipal principal;
    private final ResponseSlot slot;
    private final Answering failures;
    private final long receivedNanos;

    /** The memory that the body's buffers are in; null if the body has none. */
    private final InboundFrame frame;

    /** On the connection's network thread. */
    NetworkRequest(
            Connection connection,
            Parsed parsed,
            ResponseSlot slot,
            Answering failures,
            long receivedNanos) {
        this.connection = connection;
        this.header = parsed.header();
        this.body = parsed.body();
        this.frame = parsed.frame();
        this.principal = (KafkaPrincipal) connection.attachment();
        this.slot = slot;
        this.failures = failures;
        this.receivedNanos = receivedNanos;
    }

    /**
     * A request as read; {@code body} is null if its version is not known; {@code frame} is null
     * unless the body refers to its memory.
     */
    record Parsed(RequestHeader header, ApiMessage body, InboundFrame frame) {}

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
        return principal;
    }

    @Override
    public InetAddress clientAddress() {
        return connection.clientAddress();
    }

    @Override
    public String listener() {
        return connection.listener();
    }

    @Override
    public long receivedNanos() {
        return receivedNanos;
    }

    @Override
    public void reply(ApiMessage response) {
        slot.complete(new Response(response));
    }

    @Override
    public void fail(Errors error, String message) {
        AbstractResponse response;
        try {
            response = ErrorResponses.of(header, body, error, message);
        } catch (RuntimeException unanswerable) {
            // Kafka's classes cannot take in what the client sent, say the same tag twice.
            log.debug("Closing {}: it cannot even be refused", this, unanswerable);
            disconnect();
            return;
        }
        if (response == null) disconnect();
        else reply(response.data());
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
    public void replyNothing() {
        releaseFrameOnItsThread();
        slot.skip();
    }

    @Override
    public void disconnect() {
        releaseFrameOnItsThread();
        slot.skip();
        connection.close();
    }

    @Override
    public void execute(Runnable action) {
        // After a stop nobody waits for the action any more.
        boolean _ = connection.execute(() -> answering(action));
    }

    @Override
    public void whenGone(Runnable action) {
        slot.whenGone(action);
    }

    @Override
    public void pauseReading() {
        connection.pause();
    }

    @Override
    public void resumeReading() {
        connection.resume();
    }

    @Override
    public boolean answered() {
        return slot.completed();
    }

    @Override
    public String toString() {
        return header.apiKey() + " v" + header.apiVersion() + " of " + connection;
    }

    /** Pooled memory goes back to the cache of the thread that took it. */
    private void releaseFrameOnItsThread() {
        if (frame != null && !connection.execute(frame::release)) frame.release();
    }

    /** A response on its way. */
    private final class Response implements Answer {
        private final ApiMessage data;

        Response(ApiMessage data) {
            this.data = data;
        }

        @Override
        public OutboundFrame encode() {
            releaseFrame();
            short version = header.apiVersion();
            short headerVersion = header.apiKey().responseHeaderVersion(version);
            return ResponseEncoder.encode(header.correlationId(), headerVersion, data, version);
        }

        @Override
        public void discard() {
            releaseFrame();
            ResponseEncoder.discard(data);
        }

        private void releaseFrame() {
            if (frame != null) frame.release();
        }
    }
}
