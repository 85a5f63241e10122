// SPDX-License-Identifier: Apache-2.0
package io.oxbow.net;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Keeps what comes in; answers only when told to. */
final class RecordingFrameHandler implements FrameHandler {

    /** A request: its content and the slot reserved for its response. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Received(Connection connection, byte[] content, ResponseSlot slot) {}

    private static final int PATIENCE_SECONDS = 20;

    final List<Connection> opened = new CopyOnWriteArrayList<>();
    final LinkedBlockingQueue<Connection> closed = new LinkedBlockingQueue<>();
    final LinkedBlockingQueue<Received> received = new LinkedBlockingQueue<>();

    /** Answers at once with the request's own content. */
    volatile boolean echo;

    @Override
    public void opened(Connection connection) {
        opened.add(connection);
    }

    @Override
    public void received(Connection connection, InboundFrame frame) {
        byte[] content = new byte[frame.sizeBytes()];
        frame.buffer().get(content);
        frame.release();
        Received request = new Received(connection, content, connection.reserve());
        if (echo) request.slot.complete(bytes(content));
        received.add(request);
    }

    @Override
    public void closed(Connection connection) {
        closed.add(connection);
    }

    /** The next request that comes, or came and was not taken yet. */
    Received next() throws InterruptedException {
        Received next = received.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        if (next == null) throw new AssertionError("no request came");
        return next;
    }

    /** A response with the given content after its length. */
    static Answer bytes(byte[] content) {
        return new Answer() {
            @Override
            public OutboundFrame encode() {
                OutboundFrame frame = OutboundFrame.allocate(4 + content.length);
                frame.head().putInt(content.length).put(content);
                return frame;
            }

            @Override
            public void discard() {}
        };
    }

    static byte[] framed(byte[] content) {
        return ByteBuffer.allocate(4 + content.length).putInt(content.length).put(content).array();
    }
}
