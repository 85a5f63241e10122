// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.data;

import io.oxbow.server.doubles.AnyRequest;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;

/**
 * A request whose network thread is the test: it runs what is posted while it awaits the answer.
 */
final class LoopRequest extends AnyRequest {
    private static final long PATIENCE_SECONDS = 20;

    private final LinkedBlockingQueue<Runnable> posted = new LinkedBlockingQueue<>();
    private final CompletableFuture<Object> answer = new CompletableFuture<>();
    private int pauses;
    private Runnable whenGone = () -> {};

    LoopRequest(ApiKeys key, int version, String clientId, ApiMessage body) {
        super(key, version, clientId, body);
    }

    /** Runs the network thread until there is an answer. */
    <T extends ApiMessage> T await(Class<T> type) throws Exception {
        return type.cast(await());
    }

    /** A response, an {@link Errors}, "nothing" or "disconnected". */
    Object await() throws Exception {
        long patience = TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        for (int i = 0; i < 1000 && !answer.isDone(); i++) {
            Runnable next = posted.poll(patience / 1000, TimeUnit.NANOSECONDS);
            if (next != null) next.run();
        }
        return answer.get(1, TimeUnit.SECONDS);
    }

    /** Runs what has been posted so far. */
    void runPosted() {
        for (Runnable next = posted.poll(); next != null; next = posted.poll()) next.run();
    }

    /** The client's connection ends. */
    void hangUp() {
        whenGone.run();
    }

    @Override
    public boolean answered() {
        return answer.isDone();
    }

    /** How often it has been paused and not resumed. */
    int pauses() {
        return pauses;
    }

    private void answer(Object with) {
        if (!answer.complete(with)) throw new AssertionError("a request is answered once");
    }

    @Override
    public void reply(ApiMessage response) {
        answer(response);
    }

    @Override
    public void fail(Errors error, String message) {
        answer(error);
    }

    @Override
    public void replyNothing() {
        answer("nothing");
    }

    @Override
    public void disconnect() {
        answer("disconnected");
    }

    @Override
    public void execute(Runnable action) {
        posted.add(action);
    }

    @Override
    public void whenGone(Runnable action) {
        whenGone = action;
    }

    @Override
    public void pauseReading() {
        pauses++;
    }

    @Override
    public void resumeReading() {
        pauses--;
    }
}
