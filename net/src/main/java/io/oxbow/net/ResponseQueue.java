// SPDX-License-Identifier: Apache-2.0
package io.oxbow.net;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.oxbow.base.error.LogAllowance;
import java.util.ArrayDeque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The responses that a connection owes, in the order of its requests. Owned by the event loop.
 *
 * <p>{@code unsent} counts a response from the reservation of its slot until its last byte has gone
 * into the socket.
 */
@SuppressWarnings("FutureReturnValueIgnored") // closing cannot fail in a way that matters
final class ResponseQueue {
    private static final Logger log = LoggerFactory.getLogger(ResponseQueue.class);

    private final Channel channel;
    private final LogAllowance failureLines;
    private final ArrayDeque<ResponseSlot> slots = new ArrayDeque<>();
    private int unsent;
    private int exclusive;

    ResponseQueue(Channel channel, LogAllowance failureLines) {
        this.channel = channel;
        this.failureLines = failureLines;
    }

    ResponseSlot reserve(Connection connection, boolean alone) {
        ResponseSlot slot = new ResponseSlot(connection, alone);
        if (alone) exclusive++;
        slots.add(slot);
        unsent++;
        return slot;
    }

    /** Writes all answers that are due; true if anything must be flushed. */
    boolean write(ChannelFutureListener sent) {
        boolean wrote = false;
        ResponseSlot head;
        while ((head = slots.peek()) != null && head.completed()) {
            slots.poll();
            if (head.exclusive()) exclusive--;
            if (head.answer().empty()) {
                unsent--;
            } else {
                wrote |= encodeAndWrite(head.answer(), sent);
            }
        }
        return wrote;
    }

    /** A response that was written has gone out (or failed with its connection). */
    void sent() {
        unsent--;
    }

    int unsent() {
        return unsent;
    }

    /** Whether a request has to be answered before the next one may start. */
    boolean holdsRequests() {
        return exclusive > 0;
    }

    /** Whether the oldest request has not been answered yet. */
    boolean awaitsAnswer() {
        ResponseSlot head = slots.peek();
        return head != null && !head.completed();
    }

    /** The connection is gone: tells the requests that are not answered. */
    void connectionGone() {
        for (ResponseSlot slot : slots) {
            try {
                slot.gone();
            } catch (RuntimeException | Error failure) {
                report("a request could not be given up", failure);
            }
        }
    }

    /** The connection is gone: drops answers as they come. */
    void discardAnswered() {
        slots.removeIf(
                slot -> {
                    if (!slot.completed()) return false;
                    slot.discard();
                    return true;
                });
    }

    /**
     * Errors too: Netty's want of memory is one, and a lost answer would leave a client waiting.
     */
    private boolean encodeAndWrite(Answer answer, ChannelFutureListener sent) {
        try {
            answer.encode().write(channel, channel.newPromise().addListener(sent));
            return true;
        } catch (RuntimeException | Error failure) {
            report("closing, as a response cannot be encoded", failure);
            unsent--;
            channel.close();
            return false;
        }
    }

    private void report(String what, Throwable failure) {
        failureLines.line(end -> log.error("{}: {}{}", channel, what, end, failure));
    }
}
