// SPDX-License-Identifier: Apache-2.0
package io.oxbow.net;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FrameReceiverTest {
    private static final int MAX_FRAME_BYTES = 64 << 20;

    private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);
    private final RecordingSink sink = new RecordingSink();
    private final FrameReceiver receiver = new FrameReceiver(sink, MAX_FRAME_BYTES);

    @Test
    void alwaysGivesOutTheFramesThatWereSentHoweverTheyAreCut() {
        for (long seed = 0; seed < 100; seed++) {
            Random random = new Random(seed);
            sink.frames.clear();
            List<byte[]> sent = new ArrayList<>();
            ByteBuf wire = Unpooled.buffer();
            for (int i = 0; i < 30; i++) sent.add(frame(random, wire));
            while (wire.isReadable()) {
                sink.open = random.nextInt(4) > 0;
                if (random.nextInt(5) == 0) feedForeign(wire, random);
                else feedOwn(wire, random);
                if (random.nextInt(3) == 0) receiver.turnEnded();
            }
            sink.open = true;
            receiver.pump(allocator);
            assertEquals(sent.size(), sink.frames.size(), "seed " + seed);
            for (int i = 0; i < sent.size(); i++) {
                assertArrayEquals(sent.get(i), sink.frames.get(i), "seed " + seed + ", frame " + i);
            }
            receiver.turnEnded();
            assertEquals(0, allocator.metric().usedDirectMemory(), "seed " + seed);
        }
    }

    @Test
    void shouldReadALargeFrameIntoItsOwnMemory() {
        byte[] content = new byte[500_000];
        ByteBuf wire = Unpooled.buffer().writeInt(content.length).writeBytes(content);
        feed(wire, receiver.nextReadBuffer(allocator), 1000);
        ByteBuf own = receiver.nextReadBuffer(allocator);
        long address = own.memoryAddress();
        assertEquals(content.length, own.capacity());
        feed(wire, own, content.length);
        assertFalse(wire.isReadable());
        assertEquals(address, sink.lastAddress, "it is given out where it was read to");
    }

    @Test
    void shouldNotTakeMuchMemoryForALengthAlone() {
        ByteBuf wire = Unpooled.buffer().writeInt(MAX_FRAME_BYTES).writeByte(1);
        feed(wire, receiver.nextReadBuffer(allocator), 5);
        feed(wire, receiver.nextReadBuffer(allocator), 0);
        long claimed = allocator.metric().usedDirectMemory();
        assertTrue(claimed <= 2 << 20, claimed + " bytes");
        receiver.close();
    }

    @Test
    void shouldGiveOutSmallFramesWhereTheyWereRead() {
        ByteBuf wire = Unpooled.buffer().writeInt(3).writeBytes(new byte[3]);
        ByteBuf chunk = receiver.nextReadBuffer(allocator);
        long address = chunk.memoryAddress();
        feed(wire, chunk, 7);
        assertEquals(address + 4, sink.lastAddress);
    }

    @Test
    void shouldHoldNoMemoryBetweenFrames() {
        ByteBuf wire = Unpooled.buffer().writeInt(3).writeBytes(new byte[3]);
        feed(wire, receiver.nextReadBuffer(allocator), 7);
        receiver.turnEnded();
        assertEquals(0, allocator.metric().usedDirectMemory());
    }

    @Test
    void shouldGiveEverythingBackWhenItIsClosedHalfWay() {
        ByteBuf wire = Unpooled.buffer().writeInt(100_000).writeBytes(new byte[50_000]);
        feed(wire, receiver.nextReadBuffer(allocator), 2000);
        feed(wire, receiver.nextReadBuffer(allocator), 48_000);
        assertTrue(allocator.metric().usedDirectMemory() > 0);
        receiver.close();
        assertEquals(0, allocator.metric().usedDirectMemory());
    }

    @Test
    void shouldSayWhichLengthsAreBad() {
        for (int length : new int[] {-1, Integer.MIN_VALUE, MAX_FRAME_BYTES + 1}) {
            RecordingSink bad = new RecordingSink();
            FrameReceiver fresh = new FrameReceiver(bad, MAX_FRAME_BYTES);
            fresh.received(Unpooled.buffer().writeInt(length), allocator);
            fresh.received(Unpooled.buffer().writeInt(1).writeByte(1), allocator);
            assertEquals(List.of(length), bad.badLengths);
            assertEquals(0, bad.frames.size(), "nothing is read after nonsense");
            fresh.close();
        }
    }

    private static byte[] frame(Random random, ByteBuf wire) {
        int size =
                switch (random.nextInt(40)) {
                    case 39 -> 1_000_000 + random.nextInt(8_000_000);
                    case 0, 4, 5, 6 -> random.nextInt(10);
                    case 1, 7, 8, 9 -> random.nextInt(10_000);
                    case 2, 10, 11, 12 -> random.nextInt(100_000);
                    default -> random.nextInt(300);
                };
        byte[] content = new byte[size];
        random.nextBytes(content);
        wire.writeInt(size).writeBytes(content);
        return content;
    }

    /** As the socket does: reads into the buffer that the receiver names. */
    private void feedOwn(ByteBuf wire, Random random) {
        feed(
                wire,
                receiver.nextReadBuffer(allocator),
                1 + random.nextInt(random.nextBoolean() ? 40_000 : 400_000));
    }

    /** As TLS does: hands over buffers of its own. */
    private void feedForeign(ByteBuf wire, Random random) {
        int count = Math.min(wire.readableBytes(), 1 + random.nextInt(20_000));
        receiver.received(Unpooled.copiedBuffer(wire.readSlice(count)), allocator);
    }

    private void feed(ByteBuf wire, ByteBuf target, int most) {
        int count = Math.min(Math.min(wire.readableBytes(), target.writableBytes()), most);
        target.writeBytes(wire, count);
        receiver.received(target, allocator);
    }

    /** Keeps frames; open or not as the test says. */
    private static final class RecordingSink implements FrameReceiver.Sink {
        private final List<byte[]> frames = new ArrayList<>();
        private final List<Integer> badLengths = new ArrayList<>();
        private boolean open = true;
        private long lastAddress;

        @Override
        public boolean open() {
            return open;
        }

        @Override
        public boolean reserve(int sizeBytes) {
            return true;
        }

        @Override
        public void frame(ByteBuf frame) {
            byte[] content = new byte[frame.readableBytes()];
            frame.getBytes(frame.readerIndex(), content);
            frames.add(content);
            lastAddress = frame.memoryAddress() + frame.readerIndex();
            frame.release();
        }

        @Override
        public void badLength(int length) {
            badLengths.add(length);
        }
    }
}
