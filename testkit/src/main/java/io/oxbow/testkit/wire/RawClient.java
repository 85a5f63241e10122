// SPDX-License-Identifier: Apache-2.0
package io.oxbow.testkit.wire;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.RequestHeader;

/** One connection to a broker on loopback, used by one thread; every read has a time limit. */
public final class RawClient implements AutoCloseable {

    private static final int LIMIT_MS = 20_000;
    private static final String CLIENT_ID = "raw";

    private final Socket socket;
    private final DataInputStream in;
    private int correlation;

    /** Connects. */
    public RawClient(int port) {
        try {
            socket = new Socket();
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(LIMIT_MS);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), LIMIT_MS);
            in = new DataInputStream(socket.getInputStream());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends a request in its own version and returns its response. */
    public AbstractResponse send(AbstractRequest request) {
        RequestHeader header = nextHeader(request);
        sendFrame(frame(header, request));
        ByteBuffer answer = readFrame();
        return AbstractResponse.parseResponse(answer, header);
    }

    /** The bytes of a request without the size in front. */
    public byte[] encode(AbstractRequest request) {
        return frame(nextHeader(request), request);
    }

    /** The bytes of a request with this correlation id. */
    public byte[] encode(AbstractRequest request, int correlationId) {
        return frame(
                new RequestHeader(request.apiKey(), request.version(), CLIENT_ID, correlationId),
                request);
    }

    private RequestHeader nextHeader(AbstractRequest request) {
        return new RequestHeader(request.apiKey(), request.version(), CLIENT_ID, correlation++);
    }

    private static byte[] frame(RequestHeader header, AbstractRequest request) {
        ByteBuffer buffer = request.serializeWithHeader(header);
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return bytes;
    }

    /** Sends a frame: the size of {@code bytes}, then the bytes. */
    public void sendFrame(byte[] bytes) {
        sendRaw(ByteBuffer.allocate(4 + bytes.length).putInt(bytes.length).put(bytes).array());
    }

    /** Sends bytes as they are. */
    public void sendRaw(byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
            socket.getOutputStream().flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads one frame without its size. */
    public ByteBuffer readFrame() {
        try {
            byte[] bytes = new byte[in.readInt()];
            in.readFully(bytes);
            return ByteBuffer.wrap(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Reads one answer whatever it is.
     *
     * @return its correlation id, or null if the broker closed the connection
     */
    public Integer nextAnswer(int limitMs) throws IOException {
        socket.setSoTimeout(limitMs);
        try {
            int size = in.readInt();
            int id = in.readInt();
            in.skipNBytes(size - Integer.BYTES);
            return id;
        } catch (EOFException | java.net.SocketException closed) {
            return null;
        }
    }

    /**
     * Waits for the broker's reaction to garbage.
     *
     * @return true if it answered something, false if it closed the connection
     */
    public boolean answersOrCloses(int limitMs) throws IOException {
        socket.setSoTimeout(limitMs);
        try {
            int size = in.readInt();
            in.skipNBytes(size);
            return true;
        } catch (EOFException closed) {
            return false;
        } catch (java.net.SocketException reset) {
            return false;
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
