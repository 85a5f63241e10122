// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.broker;

import io.oxbow.net.Connection;
import io.oxbow.net.FrameHandler;
import io.oxbow.net.InboundFrame;

/**
 * Lets ports be taken before there is anybody who could answer: the handler is set before the first
 * connection is accepted.
 */
final class SwitchedFrames implements FrameHandler {
    /** Set once by the starting thread, before connections are accepted; read by event loops. */
    private volatile FrameHandler target;

    void to(FrameHandler handler) {
        target = handler;
    }

    @Override
    public void opened(Connection connection) {
        target.opened(connection);
    }

    @Override
    public void received(Connection connection, InboundFrame frame) {
        target.received(connection, frame);
    }

    @Override
    public void closed(Connection connection) {
        target.closed(connection);
    }
}
