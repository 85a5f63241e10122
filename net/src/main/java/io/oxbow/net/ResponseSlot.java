// SPDX-License-Identifier: Apache-2.0
package io.oxbow.net;

import io.oxbow.base.Invariant;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * One response's place in the order of a connection: reserved on the event loop when the request
 * starts, completed once from any thread, sent when all earlier slots have been.
 */
public final class ResponseSlot {
    private static final VarHandle ANSWER;

    static {
        try {
            ANSWER =
                    MethodHandles.lookup()
                            .findVarHandle(ResponseSlot.class, "answer", Answer.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final Connection connection;
    private final boolean exclusive;

    /** Written once by whoever answers, read by the event loop. */
    @SuppressWarnings("unused") // written through ANSWER
    private volatile Answer answer;

    /** Event loop only; null if nobody cares. */
    private Runnable whenGone;

    ResponseSlot(Connection connection, boolean exclusive) {
        this.connection = connection;
        this.exclusive = exclusive;
    }

    /** Answers; the connection sends it in its turn, or discards it if it is gone. Any thread. */
    public void complete(Answer given) {
        Invariant.check(
                ANSWER.compareAndSet(this, null, Invariant.present(given, "an answer")),
                "a request is answered once");
        connection.answered(this);
    }

    /** Ends a request that has no response. Any thread. */
    public void skip() {
        complete(Answer.NONE);
    }

    /** Whether it has been completed. Any thread. */
    public boolean completed() {
        return answer != null;
    }

    /**
     * Has {@code action} run, on the event loop, if the connection ends before this is answered: it
     * lets go of what the answer holds and completes the slot soon. Event loop only.
     */
    public void whenGone(Runnable action) {
        whenGone = action;
    }

    /** The connection has ended. Event loop only. */
    void gone() {
        if (whenGone != null && !completed()) whenGone.run();
    }

    /** Lets go of a completed answer that will not be sent; once, whoever comes first. */
    void discard() {
        Answer given = (Answer) ANSWER.getAndSet(this, Answer.NONE);
        given.discard();
    }

    /** Whether no later request may start before this one is answered. */
    boolean exclusive() {
        return exclusive;
    }

    Answer answer() {
        return answer;
    }
}
