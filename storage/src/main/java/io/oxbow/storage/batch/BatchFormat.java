// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.batch;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;

/**
 * The bytes of a record batch, read and patched in place at a position of a buffer. All numbers are
 * big endian.
 *
 * <pre>
 * magic 2 (written since Kafka 0.11)
 *  offset size type   field
 *       0    8 int64  base offset
 *       8    4 int32  length: bytes that follow this field
 *      12    4 int32  partition leader epoch
 *      16    1 int8   magic = 2
 *      17    4 uint32 CRC32C of everything from the attributes on
 *      21    2 int16  attributes: 0-2 codec, 3 log append time, 4 transactional, 5 control,
 *                     6 base timestamp is the delete horizon
 *      23    4 int32  last offset delta
 *      27    8 int64  base timestamp
 *      35    8 int64  max timestamp
 *      43    8 int64  producer id, -1 if none
 *      51    2 int16  producer epoch
 *      53    4 int32  base sequence
 *      57    4 int32  record count
 *      61             records, compressed as a whole
 *
 * magic 0 and 1 (a message; a compressed one wraps a set of messages)
 *       0    8 int64  offset (of a wrapper: its last message's)
 *       8    4 int32  length: bytes that follow this field
 *      12    4 uint32 CRC32 of everything from the magic on
 *      16    1 int8   magic = 0 or 1
 *      17    1 int8   attributes: 0-2 codec, 3 log append time (magic 1)
 *      18    8 int64  timestamp (magic 1 only)
 *                     key and value, each an int32 length (-1: null) and its bytes
 * </pre>
 *
 * The CRC of magic 2 covers neither base offset nor leader epoch, so both are patched without
 * touching it. The magic stands at the same place in all versions.
 *
 * <p>Stateless; the accessors do not move the buffer's position.
 */
public final class BatchFormat {
    public static final int BASE_OFFSET = 0;
    public static final int LENGTH = 8;
    public static final int LEADER_EPOCH = 12;
    public static final int MAGIC = 16;
    public static final int CRC = 17;
    public static final int ATTRIBUTES = 21;
    public static final int LAST_OFFSET_DELTA = 23;
    public static final int BASE_TIMESTAMP = 27;
    public static final int MAX_TIMESTAMP = 35;
    public static final int PRODUCER_ID = 43;
    public static final int PRODUCER_EPOCH = 51;
    public static final int BASE_SEQUENCE = 53;
    public static final int RECORD_COUNT = 57;

    /** Bytes before the first record of a magic 2 batch. */
    public static final int HEADER_BYTES = 61;

    /** Bytes before what the length field counts. */
    public static final int OVERHEAD = 12;

    /** Enough of any batch to know its size and magic. */
    public static final int PROBE_BYTES = MAGIC + 1;

    private static final int LEGACY_CRC = 12;
    private static final int LEGACY_ATTRIBUTES = 17;
    private static final int LEGACY_TIMESTAMP = 18;
    private static final int LEGACY_MIN_LENGTH_V0 = 14;
    private static final int LEGACY_MIN_LENGTH_V1 = 22;

    private static final int CODEC_MASK = 0x07;
    private static final int LOG_APPEND_TIME = 0x08;
    private static final int TRANSACTIONAL = 0x10;
    private static final int CONTROL = 0x20;

    private BatchFormat() {}

    /** Size of the batch at {@code at} with its header, as its length field says. */
    public static int sizeBytes(ByteBuffer buffer, int at) {
        return buffer.getInt(at + LENGTH) + OVERHEAD;
    }

    public static byte magic(ByteBuffer buffer, int at) {
        return buffer.get(at + MAGIC);
    }

    /**
     * Whether {@code sizeBytes} can be the size of a batch of this magic. A size that overflowed is
     * negative and cannot.
     */
    public static boolean plausible(byte magic, int sizeBytes) {
        return switch (magic) {
            case 0 -> sizeBytes >= OVERHEAD + LEGACY_MIN_LENGTH_V0;
            case 1 -> sizeBytes >= OVERHEAD + LEGACY_MIN_LENGTH_V1;
            case 2 -> sizeBytes >= HEADER_BYTES;
            default -> false;
        };
    }

    /** Offset of the first record; of a magic 0 or 1 batch that of its last. */
    public static long baseOffset(ByteBuffer buffer, int at) {
        return buffer.getLong(at + BASE_OFFSET);
    }

    /** Offset of the last record, any magic. */
    public static long lastOffset(ByteBuffer buffer, int at) {
        long first = baseOffset(buffer, at);
        return magic(buffer, at) >= 2 ? first + buffer.getInt(at + LAST_OFFSET_DELTA) : first;
    }

    public static int lastOffsetDelta(ByteBuffer buffer, int at) {
        return buffer.getInt(at + LAST_OFFSET_DELTA);
    }

    /** Leader epoch, -1 for magic 0 and 1. */
    public static int leaderEpoch(ByteBuffer buffer, int at) {
        return magic(buffer, at) >= 2 ? buffer.getInt(at + LEADER_EPOCH) : -1;
    }

    /** Largest timestamp in the batch, -1 if it has none; any magic. */
    public static long maxTimestamp(ByteBuffer buffer, int at) {
        return switch (magic(buffer, at)) {
            case 0 -> -1;
            case 1 -> buffer.getLong(at + LEGACY_TIMESTAMP);
            default -> buffer.getLong(at + MAX_TIMESTAMP);
        };
    }

    public static int attributes(ByteBuffer buffer, int at) {
        return magic(buffer, at) >= 2
                ? buffer.getShort(at + ATTRIBUTES)
                : buffer.get(at + LEGACY_ATTRIBUTES);
    }

    /** Id of the compression codec, 0 for none. */
    public static int codec(ByteBuffer buffer, int at) {
        return attributes(buffer, at) & CODEC_MASK;
    }

    public static boolean logAppendTime(ByteBuffer buffer, int at) {
        return (attributes(buffer, at) & LOG_APPEND_TIME) != 0;
    }

    public static boolean transactional(ByteBuffer buffer, int at) {
        return magic(buffer, at) >= 2 && (attributes(buffer, at) & TRANSACTIONAL) != 0;
    }

    public static boolean control(ByteBuffer buffer, int at) {
        return magic(buffer, at) >= 2 && (attributes(buffer, at) & CONTROL) != 0;
    }

    /** Producer id, -1 if the batch has none. */
    public static long producerId(ByteBuffer buffer, int at) {
        return magic(buffer, at) >= 2 ? buffer.getLong(at + PRODUCER_ID) : -1;
    }

    public static short producerEpoch(ByteBuffer buffer, int at) {
        return buffer.getShort(at + PRODUCER_EPOCH);
    }

    public static int baseSequence(ByteBuffer buffer, int at) {
        return buffer.getInt(at + BASE_SEQUENCE);
    }

    /** Records in a magic 2 batch, as its header says. */
    public static int recordCount(ByteBuffer buffer, int at) {
        return buffer.getInt(at + RECORD_COUNT);
    }

    /** Whether the CRC of the batch at {@code at}, all in the buffer, matches; any magic. */
    public static boolean crcMatches(ByteBuffer buffer, int at, int sizeBytes) {
        if (magic(buffer, at) >= 2) {
            return crc32c(buffer, at, sizeBytes) == buffer.getInt(at + CRC);
        }
        CRC32 crc = new CRC32();
        int position = buffer.position();
        int limit = buffer.limit();
        buffer.limit(at + sizeBytes).position(at + MAGIC);
        crc.update(buffer);
        buffer.limit(limit).position(position);
        return (int) crc.getValue() == buffer.getInt(at + LEGACY_CRC);
    }

    /** The CRC that the header says. */
    public static int storedCrc(ByteBuffer buffer, int at) {
        return buffer.getInt(at + (magic(buffer, at) >= 2 ? CRC : LEGACY_CRC));
    }

    /** First byte, from the start of the batch, that the CRC covers. */
    public static int crcStart(byte magic) {
        return magic >= 2 ? ATTRIBUTES : MAGIC;
    }

    /** Writes the base offset; the CRC stays right. */
    public static void patchBaseOffset(ByteBuffer buffer, int at, long baseOffset) {
        buffer.putLong(at + BASE_OFFSET, baseOffset);
    }

    /** Writes the partition leader epoch; the CRC stays right. */
    public static void patchLeaderEpoch(ByteBuffer buffer, int at, int leaderEpoch) {
        buffer.putInt(at + LEADER_EPOCH, leaderEpoch);
    }

    /** Gives the batch the broker's own time (LogAppendTime) and a new CRC. */
    public static void patchLogAppendTime(ByteBuffer buffer, int at, long timestampMs) {
        buffer.putShort(at + ATTRIBUTES, (short) (attributes(buffer, at) | LOG_APPEND_TIME));
        buffer.putLong(at + MAX_TIMESTAMP, timestampMs);
        buffer.putInt(at + CRC, crc32c(buffer, at, sizeBytes(buffer, at)));
    }

    /** Says that the timestamps are the producer's (CreateTime), and gives a new CRC. */
    public static void patchCreateTime(ByteBuffer buffer, int at) {
        buffer.putShort(at + ATTRIBUTES, (short) (attributes(buffer, at) & ~LOG_APPEND_TIME));
        buffer.putInt(at + CRC, crc32c(buffer, at, sizeBytes(buffer, at)));
    }

    private static int crc32c(ByteBuffer buffer, int at, int sizeBytes) {
        CRC32C crc = new CRC32C();
        int position = buffer.position();
        int limit = buffer.limit();
        buffer.limit(at + sizeBytes).position(at + ATTRIBUTES);
        crc.update(buffer);
        buffer.limit(limit).position(position);
        return (int) crc.getValue();
    }
}
