// SPDX-License-Identifier: Apache-2.0
package io.oxbow.net;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.UnresolvedAddressException;

/** A listener's address cannot be had; the message names the listener, the address and why. */
public final class ListenFailed extends UncheckedIOException {
    private static final long serialVersionUID = 1L;

    private final int port;

    ListenFailed(ListenerConfig listener, Throwable cause) {
        super(
                new IOException(
                        "listeners: %s cannot listen on %s:%d (%s"
                                .formatted(
                                        listener.name(),
                                        listener.host(),
                                        listener.port(),
                                        why(cause)),
                        cause));
        this.port = listener.port();
    }

    /** What happened, and the mend. */
    private static String why(Throwable cause) {
        return cause instanceof UnresolvedAddressException
                ? "no such host is known); mend the host or the machine's name service"
                : cause.getMessage() + "); free the port or choose another";
    }

    /** The port that was asked for. */
    public int port() {
        return port;
    }
}
