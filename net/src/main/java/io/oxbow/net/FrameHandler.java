// SPDX-License-Identifier: Apache-2.0
package io.oxbow.net;

/**
 * Who makes sense of frames. All calls for one connection come from its event loop and must not
 * block. An exception closes the connection.
 */
public interface FrameHandler {

    /** A client has connected. */
    void opened(Connection connection);

    /**
     * A whole frame (without its length prefix) has come in; not called while the connection is
     * paused. The callee must {@link InboundFrame#release} it once.
     */
    void received(Connection connection, InboundFrame frame);

    /** The connection is gone; answers that still come are dropped. */
    void closed(Connection connection);
}
