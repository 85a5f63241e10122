// SPDX-License-Identifier: Apache-2.0
package io.oxbow.net;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;

/**
 * One request as it came in, without its length prefix: a view of the pooled direct memory that the
 * socket was read into. Whoever takes it releases it once, on the connection's event loop (cheap)
 * or any other thread; afterwards its buffer must not be touched.
 */
public final class InboundFrame {
    private final ByteBuf bytes;
    private final RequestMemory memory;
    private final int sizeBytes;
    private boolean released;

    InboundFrame(ByteBuf bytes, RequestMemory memory) {
        this.bytes = bytes;
        this.memory = memory;
        this.sizeBytes = bytes.readableBytes();
    }

    /** The content, from position 0 to limit; valid until {@link #release}. */
    public ByteBuffer buffer() {
        return bytes.nioBuffer();
    }

    public int sizeBytes() {
        return sizeBytes;
    }

    /** Gives the memory back; later calls do nothing. */
    public void release() {
        if (released) return;
        released = true;
        bytes.release();
        memory.give(sizeBytes);
    }
}
