// SPDX-License-Identifier: Apache-2.0
package io.oxbow.net;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.DefaultMaxMessagesRecvByteBufAllocator;

/** Has a channel read the socket into the buffers that its {@link FrameReceiver} names. */
final class FrameReads extends DefaultMaxMessagesRecvByteBufAllocator {
    private final FrameReceiver receiver;

    FrameReads(FrameReceiver receiver) {
        this.receiver = receiver;
    }

    @Override
    public MaxMessageHandle newHandle() {
        return new MaxMessageHandle() {
            @Override
            public ByteBuf allocate(ByteBufAllocator allocator) {
                return receiver.nextReadBuffer(allocator);
            }

            @Override
            public int guess() {
                return 1;
            }
        };
    }
}
