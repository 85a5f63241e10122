// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.log;

import io.oxbow.storage.batch.BatchFormat;
import io.oxbow.storage.producer.ProducerEntry;
import io.oxbow.storage.producer.ProducerRules;
import io.oxbow.storage.producer.ProducerVerdict;
import io.oxbow.storage.segment.BatchScanner;
import io.oxbow.storage.segment.Segment;
import io.oxbow.storage.segment.SharedFile;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The last batches of each producer from before the snapshot that the log was opened from.
 *
 * <p>Kafka's snapshot format holds one batch of each producer, but a producer may have five in
 * flight. When a broker dies soon after a roll, it comes back knowing one; a producer that sends
 * the other four again would be refused as out of order, take a new epoch and write them twice. So
 * before a batch is refused for its sequence, the end of the log before the snapshot is read for
 * it: once per opening, when first needed, and no more than {@link #WINDOW_BYTES}.
 *
 * <p>Owned by the owner of the log; blocks at its first use.
 */
final class EarlierBatches {
    /** Five requests of Kafka's default size for each of three producers. */
    static final long WINDOW_BYTES = 16 << 20;

    private Map<Long, ProducerEntry> producers;

    /** Snapshot offset that {@link #producers} was read for. */
    private long readBefore = -1;

    /**
     * The batch of these sequences if it was written before {@code snapshotOffset}, else null.
     *
     * @param snapshotOffset from which the table of producers was restored, -1 if it was made from
     *     batches alone: then nothing earlier is missing from it
     */
    ProducerEntry.Batch find(
            List<Segment> segments, long snapshotOffset, ByteBuffer batch, int at) {
        if (snapshotOffset < 0) return null;
        if (readBefore != snapshotOffset) {
            producers = read(segments, snapshotOffset);
            readBefore = snapshotOffset;
        }
        ProducerEntry entry = producers.get(BatchFormat.producerId(batch, at));
        if (entry == null || entry.epoch() != BatchFormat.producerEpoch(batch, at)) return null;
        ProducerRules.Data asked = data(batch, at);
        return entry.find(asked.firstSequence(), asked.lastSequence());
    }

    private static Map<Long, ProducerEntry> read(List<Segment> segments, long before) {
        Map<Long, ProducerEntry> found = new HashMap<>();
        int last = -1;
        while (last + 1 < segments.size() && segments.get(last + 1).baseOffset() < before) last++;
        int first = last;
        long left = WINDOW_BYTES;
        while (first > 0 && segments.get(first).sizeBytes() < left) {
            left -= segments.get(first).sizeBytes();
            first--;
        }
        for (int number = Math.max(first, 0); number <= last; number++) {
            Segment segment = segments.get(number);
            long from = number > first ? 0 : Math.max(0, segment.sizeBytes() - left);
            read(segment, segment.floorPosition(from), before, found);
        }
        return found;
    }

    private static void read(
            Segment segment, long from, long before, Map<Long, ProducerEntry> found) {
        SharedFile.Handle handle = segment.acquireLog(true);
        try {
            BatchScanner scan = segment.scan(handle.file(), from, segment.sizeBytes());
            while (scan.next()) {
                ByteBuffer header = scan.header();
                int at = scan.at();
                if (BatchFormat.baseOffset(header, at) >= before) return;
                long producerId = BatchFormat.producerId(header, at);
                if (producerId < 0 || BatchFormat.control(header, at)) continue;
                ProducerEntry entry = found.computeIfAbsent(producerId, ProducerEntry::unknown);
                if (ProducerRules.data(entry, data(header, at), ProducerRules.Sender.LOG)
                        instanceof ProducerVerdict.Accepted accepted) {
                    found.put(producerId, accepted.next());
                }
            }
        } finally {
            handle.release();
        }
    }

    /** Transactions are left out: only sequences matter here. */
    private static ProducerRules.Data data(ByteBuffer batch, int at) {
        return new ProducerRules.Data(
                BatchFormat.producerEpoch(batch, at),
                BatchFormat.baseSequence(batch, at),
                BatchFormat.baseOffset(batch, at),
                BatchFormat.lastOffsetDelta(batch, at),
                BatchFormat.maxTimestamp(batch, at),
                false);
    }
}
