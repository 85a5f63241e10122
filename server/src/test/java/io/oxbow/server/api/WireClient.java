// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.api;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.requests.ResponseHeader;

/** A client that sends requests as it is told, also broken ones. */
final class WireClient implements AutoCloseable {
    private static final int PATIENCE_MS = 20_000;

    private final Socket socket;
    private final DataInputStream in;
    private final OutputStream out;

    WireClient(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(PATIENCE_MS);
        in = new DataInputStream(socket.getInputStream());
        out = socket.getOutputStream();
    }

    /** A whole request, its length included. */
    static byte[] request(ApiKeys key, int version, int correlationId, ApiMessage body) {
        RequestHeader header = new RequestHeader(key, (short) version, "wire", correlationId);
        ByteBuffer head =
                MessageUtil.toByteBufferAccessor(header.data(), header.headerVersion()).buffer();
        ByteBuffer content = MessageUtil.toByteBufferAccessor(body, (short) version).buffer();
        return ByteBuffer.allocate(4 + head.remaining() + content.remaining())
                .putInt(head.remaining() + content.remaining())
                .put(head)
                .put(content)
                .array();
    }

    void send(byte[] bytes) throws IOException {
        out.write(bytes);
        out.flush();
    }

    /** The next response, without its length. */
    ByteBuffer receive() throws IOException {
        byte[] response = new byte[in.readInt()];
        in.readFully(response);
        return ByteBuffer.wrap(response);
    }

    /** The next response, which must be to this request. */
    <T extends ApiMessage> T receive(ApiKeys key, int version, int correlationId, T into)
            throws IOException {
        ByteBuffer response = receive();
        ResponseHeader header =
                ResponseHeader.parse(response, key.responseHeaderVersion((short) version));
        if (header.correlationId() != correlationId) {
            throw new AssertionError(
                    "response " + header.correlationId() + " instead of " + correlationId);
        }
        into.read(new ByteBufferAccessor(response), (short) version);
        if (response.hasRemaining()) throw new AssertionError("bytes after the response");
        return into;
    }

    /** Whether the server closes the connection without another byte. */
    boolean closed() {
        try {
            return in.read() == -1;
        } catch (IOException reset) {
            return true;
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
