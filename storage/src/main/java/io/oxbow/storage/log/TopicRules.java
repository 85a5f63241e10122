// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.log;

import io.oxbow.storage.batch.BatchFormat;
import io.oxbow.storage.batch.CheckedBatches;
import io.oxbow.storage.batch.OpenedBatch;
import io.oxbow.storage.log.AppendOutcome.Reason;
import io.oxbow.storage.log.AppendOutcome.RecordError;
import io.oxbow.storage.log.AppendOutcome.Refused;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * What a topic's configuration demands of batches before they are written: sizes, timestamps, keys,
 * codec. Told from the headers wherever they decide it; batches are opened only for keys of
 * compacted topics, a lower bound on timestamps, another codec, and to say which record is at
 * fault. Pure.
 */
final class TopicRules {
    private final LogSettings settings;
    private final long nowMs;

    TopicRules(LogSettings settings, long nowMs) {
        this.settings = settings;
        this.nowMs = nowMs;
    }

    /** Either the batches to write, perhaps others than those given, or a refusal. */
    record Verdict(ByteBuffer batches, Refused refused) {}

    Refused checkSizes(CheckedBatches batches) {
        if (batches.largestBatchBytes() > settings.maxMessageBytes()) {
            return new Refused(
                    Reason.TOO_LARGE,
                    "A batch of "
                            + batches.largestBatchBytes()
                            + " bytes exceeds max.message.bytes="
                            + settings.maxMessageBytes());
        }
        if (batches.sizeBytes() > settings.segmentBytes()) {
            return new Refused(
                    Reason.TOO_LARGE,
                    "Batches of "
                            + batches.sizeBytes()
                            + " bytes exceed segment.bytes="
                            + settings.segmentBytes());
        }
        return null;
    }

    /** Whether no batch of this topic needs to be looked at beyond its size. */
    private boolean easy(CheckedBatches batches) {
        return !settings.compact()
                && settings.compressionType().equals("producer")
                && (settings.logAppendTime()
                        || (settings.timestampBeforeMaxMs() == Long.MAX_VALUE
                                && !tooLate(batches.maxTimestampMs())));
    }

    private boolean tooLate(long timestampMs) {
        return timestampMs >= 0 && timestampMs - nowMs > settings.timestampAfterMaxMs();
    }

    private boolean tooEarly(long timestampMs) {
        return timestampMs >= 0 && nowMs - timestampMs > settings.timestampBeforeMaxMs();
    }

    /** Checks and converts what a client or a coordinator sent. */
    Verdict apply(CheckedBatches batches) {
        ByteBuffer buffer = batches.buffer();
        if (easy(batches)) return new Verdict(buffer, null);
        List<ByteBuffer> converted = null;
        int at = buffer.position();
        try {
            while (at < buffer.limit()) {
                int size = BatchFormat.sizeBytes(buffer, at);
                if (!BatchFormat.control(buffer, at)) {
                    Refused refused = checkRecords(buffer, at, size);
                    if (refused != null) return new Verdict(null, refused);
                    ByteBuffer other = recompress(buffer, at, size);
                    if (other != null && converted == null) {
                        converted = new ArrayList<>();
                        if (at > buffer.position()) {
                            int before = buffer.position();
                            converted.add(buffer.slice(before, at - before));
                        }
                    }
                    if (converted != null) {
                        converted.add(other != null ? other : buffer.slice(at, size));
                    }
                }
                at += size;
            }
        } catch (OpenedBatch.Unreadable failure) {
            return new Verdict(null, new Refused(Reason.CORRUPT, failure.getMessage()));
        }
        return new Verdict(converted == null ? buffer : joined(converted), null);
    }

    private static ByteBuffer joined(List<ByteBuffer> parts) {
        if (parts.size() == 1) return parts.getFirst();
        ByteBuffer all = ByteBuffer.allocate(parts.stream().mapToInt(ByteBuffer::remaining).sum());
        parts.forEach(all::put);
        return all.flip();
    }

    private Refused checkRecords(ByteBuffer buffer, int at, int size)
            throws OpenedBatch.Unreadable {
        boolean timed = !settings.logAppendTime();
        long max = BatchFormat.maxTimestamp(buffer, at);
        boolean late = timed && tooLate(max);
        boolean early =
                timed && settings.timestampBeforeMaxMs() != Long.MAX_VALUE && mayBeEarly(max);
        if (!settings.compact() && !late && !early) return null;
        List<RecordError> keyless = new ArrayList<>();
        List<RecordError> mistimed = new ArrayList<>();
        int[] index = new int[1];
        OpenedBatch.of(buffer, at, size)
                .forEach(
                        record -> {
                            if (settings.compact() && !record.hasKey()) {
                                keyless.add(new RecordError(index[0], "The record has no key"));
                            }
                            long timestamp = record.timestamp();
                            if (timed && (tooLate(timestamp) || tooEarly(timestamp))) {
                                mistimed.add(new RecordError(index[0], mistimed(timestamp)));
                            }
                            index[0]++;
                        });
        if (!keyless.isEmpty()) {
            return new Refused(
                    Reason.INVALID_RECORD,
                    "A compacted topic cannot take records without a key",
                    keyless);
        }
        // The header may claim a later time than any record has; Kafka looks at records only.
        if (mistimed.isEmpty()) return null;
        return new Refused(
                Reason.INVALID_TIMESTAMP,
                "One or more records have a timestamp out of range",
                mistimed);
    }

    private boolean mayBeEarly(long maxTimestampMs) {
        // The header tells the largest timestamp and the first one, not the smallest.
        return maxTimestampMs >= 0;
    }

    private String mistimed(long timestampMs) {
        return "Timestamp "
                + timestampMs
                + " is not within "
                + settings.timestampBeforeMaxMs()
                + " ms before and "
                + settings.timestampAfterMaxMs()
                + " ms after the broker's "
                + nowMs;
    }

    private ByteBuffer recompress(ByteBuffer buffer, int at, int size)
            throws OpenedBatch.Unreadable {
        int wanted = Codec.wanted(settings);
        if (wanted < 0 || BatchFormat.codec(buffer, at) == wanted) return null;
        return OpenedBatch.of(buffer, at, size).recompressed(Codec.compression(settings));
    }
}
