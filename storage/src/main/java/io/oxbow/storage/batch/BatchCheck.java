// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.batch;

import io.oxbow.storage.batch.BatchCheckResult.Invalid;
import io.oxbow.storage.batch.BatchCheckResult.Kind;
import io.oxbow.storage.batch.BatchCheckResult.Valid;
import java.nio.ByteBuffer;

/**
 * Checks batches before they are queued for a lane: everything that can be told from the headers
 * and the CRC, without opening the records. Pure; any thread; the buffer's position, limit and
 * content stay as they are.
 */
public final class BatchCheck {
    /** Produce requests before this version cannot carry zstd. */
    private static final int FIRST_VERSION_WITH_ZSTD = 7;

    private static final int CODEC_ZSTD = 4;
    private static final int CODECS = 5;

    private BatchCheck() {}

    /**
     * Checks what a client sent for one partition: exactly one whole magic 2 batch with relative
     * offsets from 0 on, not a control batch, of sane counts, producer id and sequence.
     *
     * @param records from position to limit; null counts as empty
     * @param produceVersion version of the produce request, at least 3
     */
    public static BatchCheckResult produced(ByteBuffer records, int produceVersion) {
        if (records == null || !records.hasRemaining()) {
            return invalid(
                    "Produce requests with version "
                            + produceVersion
                            + " must have at least one record batch per partition");
        }
        int at = records.position();
        int available = records.remaining();
        Invalid shape = shape(records, at, available);
        if (shape != null) return shape;
        byte magic = BatchFormat.magic(records, at);
        if (magic < 2) {
            return invalid("Produce requests may only hold batches of magic 2, not " + magic);
        }
        int size = BatchFormat.sizeBytes(records, at);
        if (size != available) return rest(records, at, size, available);
        Invalid rule = clientRules(records, at, produceVersion);
        if (rule != null) return rule;
        if (!BatchFormat.crcMatches(records, at, size)) return badCrc(records, at);
        return new Valid(
                new CheckedBatches(
                        records,
                        1,
                        BatchFormat.recordCount(records, at),
                        size,
                        BatchFormat.maxTimestamp(records, at)));
    }

    /**
     * Checks what came from another log (replication, raft, a coordinator): whole batches of any
     * magic and kind with matching CRCs. A batch that is cut off at the end is left out, as fetch
     * responses may end in the middle of one; if no whole batch is there the result is null.
     */
    public static BatchCheckResult copied(ByteBuffer records) {
        int from = records.position();
        int end = records.limit();
        int at = from;
        Tally tally = new Tally();
        while (end - at >= BatchFormat.PROBE_BYTES) {
            int size = BatchFormat.sizeBytes(records, at);
            byte magic = BatchFormat.magic(records, at);
            if (!BatchFormat.plausible(magic, size)) return implausible(magic, size);
            if (size > end - at) break;
            if (!BatchFormat.crcMatches(records, at, size)) return badCrc(records, at);
            tally.add(records, at, size);
            at += size;
        }
        if (at == from) return null;
        return new Valid(tally.of(records.slice(from, at - from)));
    }

    /** Sums over several batches. */
    private static final class Tally {
        private int batches;
        private int records;
        private int largest;
        private long maxTimestampMs = -1;

        void add(ByteBuffer buffer, int at, int size) {
            batches++;
            records += BatchFormat.magic(buffer, at) >= 2 ? BatchFormat.recordCount(buffer, at) : 1;
            largest = Math.max(largest, size);
            maxTimestampMs = Math.max(maxTimestampMs, BatchFormat.maxTimestamp(buffer, at));
        }

        CheckedBatches of(ByteBuffer buffer) {
            return new CheckedBatches(buffer, batches, records, largest, maxTimestampMs);
        }
    }

    private static Invalid shape(ByteBuffer records, int at, int available) {
        if (available < BatchFormat.PROBE_BYTES) {
            return invalid("A batch of " + available + " bytes is cut off");
        }
        int size = BatchFormat.sizeBytes(records, at);
        byte magic = BatchFormat.magic(records, at);
        if (!BatchFormat.plausible(magic, size)) return implausible(magic, size);
        if (size > available) {
            // Kafka sees no batch at all here, and says so with the same code.
            return invalid(
                    "A batch of " + size + " bytes is cut off after " + available + " bytes");
        }
        return null;
    }

    private static Invalid rest(ByteBuffer records, int at, int size, int available) {
        Invalid second = shape(records, at + size, available - size);
        if (second != null) return second;
        return invalid("Produce requests must hold exactly one record batch per partition");
    }

    private static Invalid clientRules(ByteBuffer batch, int at, int produceVersion) {
        int codec = BatchFormat.codec(batch, at);
        if (codec >= CODECS) return invalid("Unknown compression codec " + codec);
        if (codec == CODEC_ZSTD && produceVersion < FIRST_VERSION_WITH_ZSTD) {
            return new Invalid(
                    Kind.UNSUPPORTED_COMPRESSION,
                    "Produce requests with version "
                            + produceVersion
                            + " are not allowed to use zstd");
        }
        if (BatchFormat.control(batch, at)) {
            return invalid("Clients are not allowed to write control records");
        }
        long base = BatchFormat.baseOffset(batch, at);
        if (base != 0) return invalid("The base offset of a batch must be 0, not " + base);
        int count = BatchFormat.recordCount(batch, at);
        int lastDelta = BatchFormat.lastOffsetDelta(batch, at);
        if (count <= 0 || lastDelta < 0 || lastDelta + 1L != count) {
            return invalid("A batch of " + count + " records ends at relative offset " + lastDelta);
        }
        return producerRules(batch, at);
    }

    private static Invalid producerRules(ByteBuffer batch, int at) {
        long producerId = BatchFormat.producerId(batch, at);
        int sequence = BatchFormat.baseSequence(batch, at);
        short epoch = BatchFormat.producerEpoch(batch, at);
        if (producerId < 0) {
            return BatchFormat.transactional(batch, at)
                    ? invalid("A transactional batch needs a producer id")
                    : null;
        }
        if (sequence < 0) {
            return invalid("Invalid sequence " + sequence + " of producer " + producerId);
        }
        if (epoch < 0) return invalid("Invalid epoch " + epoch + " of producer " + producerId);
        return null;
    }

    private static Invalid implausible(byte magic, int size) {
        return magic < 0 || magic > 2
                ? new Invalid(Kind.UNSUPPORTED_FORMAT, "Unknown magic " + magic)
                : new Invalid(Kind.CORRUPT, "A batch of magic " + magic + " says " + size + " B");
    }

    private static Invalid badCrc(ByteBuffer records, int at) {
        return new Invalid(
                Kind.CORRUPT,
                "The CRC of a batch of "
                        + BatchFormat.sizeBytes(records, at)
                        + " bytes does not match the stored "
                        + Integer.toHexString(BatchFormat.storedCrc(records, at)));
    }

    private static Invalid invalid(String message) {
        return new Invalid(Kind.INVALID_RECORD, message);
    }
}
