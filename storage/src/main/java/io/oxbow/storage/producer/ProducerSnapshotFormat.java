// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.producer;

import io.oxbow.base.error.CorruptException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * {@code .snapshot}: the producers of a partition as they were before the offset in its name.
 *
 * <pre>
 * offset size type   field
 *      0    2 int16  version = 1
 *      2    4 uint32 CRC32C of everything that follows
 *      6    4 int32  number of producers
 *     10             producers, 46 bytes each:
 *      0    8 int64  producer id
 *      8    2 int16  producer epoch
 *     10    4 int32  last sequence, -1 if no batch is known
 *     14    8 int64  last offset, -1 if no batch is known
 *     22    4 int32  last offset less first offset of the last batch
 *     26    8 int64  timestamp of the last batch or marker, ms
 *     34    4 int32  coordinator epoch of the last marker, -1 if none
 *     38    8 int64  first offset of the open transaction, -1 if none
 *     46             next producer
 * </pre>
 *
 * Big endian. Only the last batch of each producer is kept. A file that is cut, of another version
 * or whose CRC does not match is removed, and the state is made anew from an older snapshot and the
 * batches after it.
 */
public final class ProducerSnapshotFormat {
    private static final short VERSION = 1;
    private static final int HEADER_BYTES = 10;
    private static final int CRC_FROM = 6;
    private static final int ENTRY_BYTES = 46;

    private ProducerSnapshotFormat() {}

    public static byte[] encode(Collection<ProducerEntry> entries) {
        ByteBuffer bytes = ByteBuffer.allocate(HEADER_BYTES + entries.size() * ENTRY_BYTES);
        bytes.putShort(VERSION).putInt(0).putInt(entries.size());
        for (ProducerEntry entry : entries) {
            bytes.putLong(entry.producerId())
                    .putShort(entry.epoch())
                    .putInt(entry.lastSequence())
                    .putLong(entry.lastOffset())
                    .putInt(entry.lastOffsetDelta())
                    .putLong(entry.lastTimestampMs())
                    .putInt(entry.coordinatorEpoch())
                    .putLong(entry.txnFirstOffset());
        }
        bytes.putInt(2, crc(bytes.array()));
        return bytes.array();
    }

    /**
     * Reads a snapshot.
     *
     * @param path for the message
     * @throws CorruptException if the content is not a whole, good snapshot
     */
    public static List<ProducerEntry> decode(byte[] content, Path path) {
        ByteBuffer bytes = ByteBuffer.wrap(content);
        if (content.length < HEADER_BYTES
                || bytes.getShort() != VERSION
                || bytes.getInt() != crc(content)) {
            throw new CorruptException(path + " is not a whole producer snapshot");
        }
        int count = bytes.getInt();
        if (count < 0 || bytes.remaining() != (long) count * ENTRY_BYTES) {
            throw new CorruptException(path + " does not hold the producers that it counts");
        }
        List<ProducerEntry> entries = new ArrayList<>(count);
        for (int i = 0; i < count; i++) entries.add(entry(bytes));
        return entries;
    }

    private static ProducerEntry entry(ByteBuffer bytes) {
        long producerId = bytes.getLong();
        short epoch = bytes.getShort();
        int lastSequence = bytes.getInt();
        long lastOffset = bytes.getLong();
        int delta = bytes.getInt();
        long timestampMs = bytes.getLong();
        int coordinatorEpoch = bytes.getInt();
        long txnFirstOffset = bytes.getLong();
        ProducerEntry.Batch last =
                lastOffset < 0
                        ? null
                        : new ProducerEntry.Batch(lastSequence, lastOffset, delta, timestampMs);
        return ProducerEntry.restored(
                producerId, epoch, coordinatorEpoch, timestampMs, txnFirstOffset, last);
    }

    private static int crc(byte[] content) {
        CRC32C crc = new CRC32C();
        crc.update(content, CRC_FROM, content.length - CRC_FROM);
        return (int) crc.getValue();
    }
}
