// SPDX-License-Identifier: Apache-2.0
package io.oxbow.net;

import java.io.IOException;
import java.io.UncheckedIOException;

/** A listener's address cannot be had; the message names the listener, the address and why. */
public final class ListenFailed extends UncheckedIOException {
    private static final long serialVersionUID = 1L;

    private final int port;

    ListenFailed(ListenerConfig listener, Throwable cause) {
        super(
                new IOException(
                        "listeners: %s cannot listen on %s:%d (%s); free the port or choose another"
                                .formatted(
                                        listener.name(),
                                        listener.host(),
                                        listener.port(),
                                        cause.getMessage()),
                        cause));
        this.port = listener.port();
    }

    /** The port that was asked for. */
    public int port() {
        return port;
    }
}
