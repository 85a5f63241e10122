// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.api;

import java.net.InetAddress;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.security.auth.KafkaPrincipal;

/**
 * One request of a client. The body's byte buffers (records) are slices of the received frame,
 * which stays valid until the request is answered. Answered exactly once, from any thread; answers
 * leave the connection in the order of the requests.
 *
 * <p>The methods with a body here are for the data path; a double that is answered where it was
 * called needs no more.
 */
public interface Request {

    RequestHeader header();

    /** The request's data, e.g. a {@code ProduceRequestData}. */
    ApiMessage body();

    KafkaPrincipal principal();

    InetAddress clientAddress();

    /** Name of the listener that it came in by, e.g. "PLAINTEXT". */
    String listener();

    /** When the frame was complete, on the injected clock. */
    long receivedNanos();

    /** Answers with the response's data, written in the version of the request. */
    void reply(ApiMessage response);

    /** Answers with the error response that the API has for {@code error}. */
    void fail(Errors error, String message);

    /** Ends a request that has no answer (produce with acks=0). */
    void replyNothing();

    /** Ends a request by closing its connection (produce with acks=0 that failed). */
    default void disconnect() {
        replyNothing();
    }

    /** Runs {@code action} on the connection's network thread. Any thread. */
    default void execute(Runnable action) {
        action.run();
    }

    /**
     * Starts no later request of this connection until {@link #resumeReading}: how a full lane
     * holds back who fills it. Network thread only.
     */
    default void pauseReading() {}

    /** Ends one {@link #pauseReading}. Any thread. */
    default void resumeReading() {}
}
