// SPDX-License-Identifier: Apache-2.0
package io.oxbow.net;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelPromise;
import io.oxbow.base.Invariant;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;

/**
 * A response as bytes: a pooled direct buffer, into which ranges of files and foreign buffers are
 * spliced without copying them. Owned by one thread; sent or discarded once.
 *
 * <pre>
 *   head:    | length, header, fields | more fields        | last fields |
 *   spliced:                          ^ file range         ^ buffer
 *   on wire: | length, header, fields | file range | more fields | buffer | last fields |
 * </pre>
 */
public final class OutboundFrame {

    /** What is sent when the head has been sent up to {@code headPosition}. */
    private record Splice(int headPosition, Object content) {}

    private final ByteBuf bytes;
    private final ByteBuffer head;
    private List<Splice> splices = List.of();
    private int splicedBytes;

    private OutboundFrame(ByteBuf bytes) {
        this.bytes = bytes;
        this.head = bytes.nioBuffer(0, bytes.capacity());
    }

    /** A frame with room for {@code headBytes} bytes besides what is spliced in. */
    public static OutboundFrame allocate(int headBytes) {
        return new OutboundFrame(PooledByteBufAllocator.DEFAULT.directBuffer(headBytes, headBytes));
    }

    /** Where fields are put: relative writes from position 0; full when the frame is sent. */
    public ByteBuffer head() {
        return head;
    }

    /**
     * Sends {@code count} bytes of a file after what has been put into the head so far.
     *
     * @param release run once, when they are sent or never will be
     */
    public void spliceFile(FileChannel file, long position, int count, Runnable release) {
        splice(new FileSlice(file, position, count, release), count);
    }

    /** Sends what remains in {@code buffer}, which must not change until then. */
    public void spliceBuffer(ByteBuffer buffer) {
        if (buffer.hasRemaining()) {
            splice(Unpooled.wrappedBuffer(buffer), buffer.remaining());
        }
    }

    /** All bytes that go over the wire. */
    public int sizeBytes() {
        return head.capacity() + splicedBytes;
    }

    /** Lets go of everything without sending. */
    public void discard() {
        bytes.release();
        for (Splice splice : splices) {
            if (splice.content instanceof FileSlice file) file.release();
        }
    }

    private void splice(Object content, int count) {
        if (splices.isEmpty()) splices = new ArrayList<>();
        splices.add(new Splice(head.position(), content));
        splicedBytes += count;
    }

    /** Hands all parts to the channel, which releases them; {@code sent} goes with the last. */
    @SuppressWarnings("FutureReturnValueIgnored") // failures come by exceptionCaught and sent
    void write(Channel channel, ChannelPromise sent) {
        if (head.hasRemaining()) discard();
        Invariant.check(!head.hasRemaining(), "a response fills the room it asked for");
        int from = 0;
        for (int i = 0; i < splices.size(); i++) {
            Splice splice = splices.get(i);
            if (splice.headPosition > from) {
                channel.write(
                        bytes.retainedSlice(from, splice.headPosition - from),
                        channel.voidPromise());
                from = splice.headPosition;
            }
            boolean last = i == splices.size() - 1 && from == bytes.capacity();
            channel.write(splice.content, last ? sent : channel.voidPromise());
        }
        if (from < bytes.capacity()) {
            bytes.setIndex(from, bytes.capacity());
            channel.write(bytes, sent);
        } else {
            bytes.release();
        }
    }
}
