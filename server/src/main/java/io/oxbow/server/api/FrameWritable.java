// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.api;

import io.oxbow.net.OutboundFrame;
import io.oxbow.storage.log.LogSlice;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.apache.kafka.common.protocol.Writable;
import org.apache.kafka.common.record.internal.BaseRecords;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.utils.internals.ByteUtils;

/**
 * Writes a response's fields straight into pooled memory and splices records in between: a {@link
 * LogSlice} as a range of its file, records in memory as they are. Used once, by one thread.
 */
final class FrameWritable implements Writable {
    private final OutboundFrame frame;
    private final ByteBuffer head;
    private int slices;

    /**
     * @param headBytes bytes that will be written besides records
     */
    FrameWritable(int headBytes) {
        this.frame = OutboundFrame.allocate(headBytes);
        this.head = frame.head();
    }

    @Override
    public void writeRecords(BaseRecords records) {
        switch (records) {
            case LogSlice slice -> writeSlice(slice);
            case MemoryRecords memory -> frame.spliceBuffer(memory.buffer());
            default ->
                    throw new IllegalArgumentException(
                            "records of " + records.getClass() + " have no way onto the wire");
        }
    }

    private void writeSlice(LogSlice slice) {
        slices++;
        FileChannel channel = slice.file().channel();
        frame.spliceFile(channel, slice.position(), slice.sizeInBytes(), slice::close);
    }

    OutboundFrame frame() {
        return frame;
    }

    /** Slices that the frame lets go of from now on. */
    int slices() {
        return slices;
    }

    @Override
    public void writeByte(byte value) {
        head.put(value);
    }

    @Override
    public void writeShort(short value) {
        head.putShort(value);
    }

    @Override
    public void writeInt(int value) {
        head.putInt(value);
    }

    @Override
    public void writeLong(long value) {
        head.putLong(value);
    }

    @Override
    public void writeDouble(double value) {
        head.putDouble(value);
    }

    @Override
    public void writeByteArray(byte[] value) {
        head.put(value);
    }

    @Override
    public void writeUnsignedVarint(int value) {
        ByteUtils.writeUnsignedVarint(value, head);
    }

    @Override
    public void writeByteBuffer(ByteBuffer value) {
        head.put(value.duplicate());
    }

    @Override
    public void writeVarint(int value) {
        ByteUtils.writeVarint(value, head);
    }

    @Override
    public void writeVarlong(long value) {
        ByteUtils.writeVarlong(value, head);
    }
}
