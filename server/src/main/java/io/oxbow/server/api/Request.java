// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.api;

import java.net.InetAddress;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
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

    /** Whether it has been answered, in whichever way. Any thread. */
    boolean answered();

    /**
     * Runs {@code action}, which answers now or later. If it throws, that is logged and the client
     * is told UNKNOWN_SERVER_ERROR (or what a {@link io.oxbow.base.error.ClientException} says):
     * whatever runs outside {@link ApiHandler#handle} goes through here. Any thread.
     */
    default void answering(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException | Error failure) {
            failed(failure);
        }
    }

    /** Answers by {@code answer} when {@code result} is there, with its value or its failure. */
    default <T> void answering(
            CompletionStage<T> result, BiConsumer<? super T, ? super Throwable> answer) {
        var _ =
                result.whenComplete(
                        (value, failure) -> answering(() -> answer.accept(value, failure)));
    }

    /** Answers for an action that threw, as {@link #answering(Runnable)} does. */
    void failed(Throwable failure);

    /**
     * Kafka's code for what a part of the request failed with, by the rules of {@link
     * #failed(Throwable)}; the request goes on. Any thread.
     */
    Errors errorOf(Throwable failure);

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
     * Has {@code action} run on the network thread if the connection ends before this request is
     * answered: it lets go of what it holds and ends the request with {@link #replyNothing}. For
     * what may wait long. Network thread only.
     */
    default void whenGone(Runnable action) {}

    /**
     * Starts no later request of this connection until {@link #resumeReading}: how a full lane
     * holds back who fills it. Network thread only.
     */
    default void pauseReading() {}

    /** Ends one {@link #pauseReading}. Any thread. */
    default void resumeReading() {}
}
