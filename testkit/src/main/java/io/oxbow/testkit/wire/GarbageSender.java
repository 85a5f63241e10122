// SPDX-License-Identifier: Apache-2.0
package io.oxbow.testkit.wire;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.util.EnumMap;
import java.util.Map;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.requests.ApiVersionsRequest;

/**
 * Sends frames that may be no requests, one at a time, each followed by a request that has an
 * answer for certain. So it sees for each frame whether the broker went on with the connection. A
 * new connection is made when the broker closes one, and when a frame has no answer yet. Used by
 * one thread.
 */
public final class GarbageSender implements AutoCloseable {

    /** What became of a frame. */
    public enum Reaction {
        /** The connection goes on. */
        WENT_ON,
        /** The broker closed the connection. */
        CLOSED,
        /** It waits for something, e.g. a fetch for data; this side closed the connection. */
        WAITS
    }

    private static final int WAIT_MS = 50;
    private static final int PROBE_ID = 0x70726f62;

    private final int port;
    private final Map<Reaction, Integer> counts = new EnumMap<>(Reaction.class);
    private RawClient client;

    public GarbageSender(int port) {
        this.port = port;
    }

    /** Sends a frame without its size in front. */
    public Reaction send(byte[] frame) {
        if (client == null) {
            client = new RawClient(port);
        }
        Reaction reaction = exchange(frame);
        if (reaction != Reaction.WENT_ON) {
            close();
        }
        counts.merge(reaction, 1, Integer::sum);
        return reaction;
    }

    private Reaction exchange(byte[] frame) {
        try {
            client.sendFrame(frame);
            client.sendFrame(
                    client.encode(
                            new ApiVersionsRequest(new ApiVersionsRequestData(), (short) 0),
                            PROBE_ID));
        } catch (UncheckedIOException reset) {
            return Reaction.CLOSED;
        }
        try {
            while (true) {
                Integer id = client.nextAnswer(WAIT_MS);
                if (id == null) {
                    return Reaction.CLOSED;
                }
                if (id == PROBE_ID) {
                    return Reaction.WENT_ON;
                }
            }
        } catch (SocketTimeoutException silence) {
            return Reaction.WAITS;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** How often each reaction was seen. */
    public Map<Reaction, Integer> counts() {
        return counts;
    }

    @Override
    public void close() {
        if (client != null) {
            client.close();
            client = null;
        }
    }
}
