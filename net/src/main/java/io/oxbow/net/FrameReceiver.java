// SPDX-License-Identifier: Apache-2.0
package io.oxbow.net;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * Turns the bytes of one connection into frames without copying them: it says into which buffer the
 * socket is read next, and frames are slices of that buffer.
 *
 * <pre>
 *   small frames   one chunk: | len | frame | len | frame | len | fra...   slices of the chunk
 *   a large frame  its own buffer; only what was read together with its length prefix is moved
 *                  there (and a frame of more than 1 MiB moves as it grows)
 * </pre>
 *
 * After a large frame the next chunk is tiny, so that hardly anything is read with the prefix. A
 * connection between frames holds no memory. Owned by the connection's event loop.
 */
final class FrameReceiver {
    private static final int LENGTH_BYTES = 4;

    /** Fits the allocator's thread-local cache. */
    private static final int CHUNK_BYTES = 32 << 10;

    private static final int PREFIX_CHUNK_BYTES = 1 << 10;

    /** From here on a frame is worth a read of its own. */
    private static final int LARGE_BYTES = 8 << 10;

    /**
     * Memory that a length prefix alone can claim: a frame that is longer gets more as its bytes
     * come, so that announcing much costs a stranger much.
     */
    private static final int TRUSTED_BYTES = 1 << 20;

    private static final int GROWTH = 4;

    /** Who takes the frames. */
    interface Sink {
        /** Whether frames are wanted now. */
        boolean open();

        /** Asks for leave to hold a frame of this size; if not, {@link #open} turns false. */
        boolean reserve(int sizeBytes);

        void frame(ByteBuf frame);

        /** A length that no frame has; nothing more will be asked of the receiver. */
        void badLength(int length);
    }

    private final Sink sink;
    private final int maxFrameBytes;

    /** What was read and not yet given out, or null. */
    private ByteBuf chunk;

    /** The frame that is being read into a buffer of its own, or null. */
    private ByteBuf large;

    /** Length of that frame. */
    private int largeBytes;

    /** Whether leave was given for the frame whose length stands at the chunk's reader index. */
    private boolean reserved;

    private boolean expectLarge;
    private boolean closed;

    FrameReceiver(Sink sink, int maxFrameBytes) {
        this.sink = sink;
        this.maxFrameBytes = maxFrameBytes;
    }

    /** The buffer for the next read from the socket; comes back through {@link #received}. */
    ByteBuf nextReadBuffer(ByteBufAllocator allocator) {
        if (largeIncomplete()) {
            if (!large.isWritable()) growLarge();
            return large.retain();
        }
        if (chunk != null && chunk.isWritable()) return chunk.retain();
        if (chunk != null) return allocator.directBuffer(CHUNK_BYTES, CHUNK_BYTES);
        int bytes = expectLarge ? PREFIX_CHUNK_BYTES : CHUNK_BYTES;
        chunk = allocator.directBuffer(bytes, bytes);
        return chunk.retain();
    }

    /** Takes what was read: our own buffer, or another one (from TLS), which is copied. */
    void received(ByteBuf read, ByteBufAllocator allocator) {
        try {
            if (!closed && !isOurs(read)) append(read, allocator);
        } finally {
            read.release();
        }
        pump(allocator);
    }

    /** Gives out frames that are complete as long as they are wanted. */
    void pump(ByteBufAllocator allocator) {
        while (!closed && sink.open()) {
            if (large != null) {
                if (largeIncomplete()) return;
                ByteBuf frame = large;
                large = null;
                sink.frame(frame);
            } else if (chunk == null || !nextFromChunk(allocator)) {
                return;
            }
        }
    }

    /** Whether bytes wait that have not been given out. */
    boolean hasBacklog() {
        return large != null ? !largeIncomplete() : chunk != null && chunk.isReadable();
    }

    /** Lets go of everything between two turns if nothing is half read. */
    void turnEnded() {
        if (chunk != null && !chunk.isReadable()) dropChunk();
    }

    void close() {
        closed = true;
        dropChunk();
        if (large != null) large.release();
        large = null;
    }

    /** One step with what is in the chunk; false if more bytes (or leave) are needed first. */
    private boolean nextFromChunk(ByteBufAllocator allocator) {
        if (chunk.readableBytes() < LENGTH_BYTES) {
            makeRoom(LENGTH_BYTES, allocator);
            return false;
        }
        int length = chunk.getInt(chunk.readerIndex());
        if (length < 0 || length > maxFrameBytes) {
            closed = true;
            sink.badLength(length);
            return false;
        }
        if (!reserved && !sink.reserve(length)) return false;
        reserved = true;
        if (chunk.readableBytes() - LENGTH_BYTES < length) return startLarge(length, allocator);
        reserved = false;
        expectLarge = length >= LARGE_BYTES;
        chunk.skipBytes(LENGTH_BYTES);
        ByteBuf frame = chunk.readRetainedSlice(length);
        if (!chunk.isReadable()) dropChunk();
        sink.frame(frame);
        return true;
    }

    /** A frame that is not all there stays in the chunk if it fits, else gets its own buffer. */
    private boolean startLarge(int length, ByteBufAllocator allocator) {
        boolean fits = length <= chunk.capacity() - chunk.readerIndex() - LENGTH_BYTES;
        if (fits && length < LARGE_BYTES) return false;
        reserved = false;
        expectLarge = length >= LARGE_BYTES;
        largeBytes = length;
        large = allocator.directBuffer(Math.min(length, TRUSTED_BYTES), length);
        chunk.skipBytes(LENGTH_BYTES);
        large.writeBytes(chunk);
        dropChunk();
        return true;
    }

    private boolean largeIncomplete() {
        return large != null && large.writerIndex() < largeBytes;
    }

    private void growLarge() {
        large.capacity((int) Math.min(largeBytes, (long) large.capacity() * GROWTH));
    }

    /** A length prefix cut by the chunk's end moves to a new chunk. */
    private void makeRoom(int bytes, ByteBufAllocator allocator) {
        if (chunk.capacity() - chunk.readerIndex() >= bytes) return;
        ByteBuf next = allocator.directBuffer(CHUNK_BYTES, CHUNK_BYTES);
        next.writeBytes(chunk);
        dropChunk();
        chunk = next;
    }

    /** Copies foreign bytes to where they would have been read. */
    private void append(ByteBuf read, ByteBufAllocator allocator) {
        if (large != null) {
            int missing = largeBytes - large.writerIndex();
            large.writeBytes(read, Math.min(missing, read.readableBytes()));
        }
        if (!read.isReadable()) return;
        int kept = chunk == null ? 0 : chunk.readableBytes();
        if (chunk == null || chunk.writableBytes() < read.readableBytes()) {
            int bytes = Math.max(CHUNK_BYTES, kept + read.readableBytes());
            ByteBuf next = allocator.directBuffer(bytes, bytes);
            if (chunk != null) next.writeBytes(chunk);
            dropChunk();
            chunk = next;
        }
        chunk.writeBytes(read);
    }

    private void dropChunk() {
        if (chunk != null) chunk.release();
        chunk = null;
    }

    @SuppressWarnings("ReferenceEquality") // asks whether it is the very buffer, not its content
    private boolean isOurs(ByteBuf read) {
        return read == chunk || read == large;
    }
}
