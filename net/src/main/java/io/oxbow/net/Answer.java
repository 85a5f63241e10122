// SPDX-License-Identifier: Apache-2.0
package io.oxbow.net;

/**
 * What goes into a {@link ResponseSlot}. It is made by whoever answers, on any thread, and turned
 * into bytes on the connection's event loop when all earlier answers have been written. Exactly one
 * of its methods is called, once.
 */
public interface Answer {

    /** Stands for a request that gets no response (produce with acks=0). */
    Answer NONE =
            new Answer() {
                @Override
                public boolean empty() {
                    return true;
                }

                @Override
                public OutboundFrame encode() {
                    throw new IllegalStateException("no response has no bytes");
                }

                @Override
                public void discard() {}
            };

    /** The response as bytes. If it throws, it has let go of its resources. */
    OutboundFrame encode();

    /** The connection is gone: lets go of resources. */
    void discard();

    /** Whether nothing is to be sent; then neither of the other methods is called. */
    default boolean empty() {
        return false;
    }
}
