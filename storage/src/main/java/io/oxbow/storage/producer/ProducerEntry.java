// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.producer;

import io.oxbow.base.Invariant;

/**
 * What a partition knows of one producer: its epoch, its last batches (to recognise them when they
 * are sent again) and its open transaction. Immutable: each append makes a new one, so that staged
 * appends can be dropped.
 */
public final class ProducerEntry {
    /** Batches that are remembered: as many as a producer may have in flight. */
    public static final int BATCHES = 5;

    private static final long[] NO_BATCHES = new long[0];

    /** Per batch: last sequence and offset delta in one, last offset, timestamp; oldest first. */
    private static final int LONGS = 3;

    private final long producerId;
    private final short epoch;
    private final int coordinatorEpoch;
    private final long lastTimestampMs;
    private final long txnFirstOffset;
    private final long[] batches;

    private ProducerEntry(
            long producerId,
            short epoch,
            int coordinatorEpoch,
            long lastTimestampMs,
            long txnFirstOffset,
            long[] batches) {
        this.producerId = producerId;
        this.epoch = epoch;
        this.coordinatorEpoch = coordinatorEpoch;
        this.lastTimestampMs = lastTimestampMs;
        this.txnFirstOffset = txnFirstOffset;
        this.batches = batches;
    }

    /** A producer that nothing is known of: epoch -1. */
    public static ProducerEntry unknown(long producerId) {
        return new ProducerEntry(producerId, (short) -1, -1, -1, -1, NO_BATCHES);
    }

    /** One written batch. */
    public record Batch(int lastSequence, long lastOffset, int offsetDelta, long timestampMs) {
        public long firstOffset() {
            return lastOffset - offsetDelta;
        }

        public int firstSequence() {
            return Sequences.minus(lastSequence, offsetDelta);
        }
    }

    /** As read from a snapshot; {@code last} is null if it had no batch. */
    static ProducerEntry restored(
            long producerId,
            short epoch,
            int coordinatorEpoch,
            long lastTimestampMs,
            long txnFirstOffset,
            Batch last) {
        ProducerEntry entry =
                new ProducerEntry(
                        producerId,
                        epoch,
                        coordinatorEpoch,
                        lastTimestampMs,
                        txnFirstOffset,
                        NO_BATCHES);
        return last == null ? entry : entry.withBatch(epoch, last, txnFirstOffset);
    }

    public long producerId() {
        return producerId;
    }

    /** -1 if not known. */
    public short epoch() {
        return epoch;
    }

    /** Of the last transaction marker, -1 if none. */
    public int coordinatorEpoch() {
        return coordinatorEpoch;
    }

    public long lastTimestampMs() {
        return lastTimestampMs;
    }

    /** First offset of the open transaction, -1 if none is open. */
    public long txnFirstOffset() {
        return txnFirstOffset;
    }

    public int batchCount() {
        return batches.length / LONGS;
    }

    /**
     * A remembered batch.
     *
     * @param number 0 is the oldest
     */
    public Batch batch(int number) {
        Invariant.check(number < batchCount(), "a batch is remembered", number, batchCount());
        int i = number * LONGS;
        return new Batch(
                (int) (batches[i] >> 32), batches[i + 1], (int) batches[i], batches[i + 2]);
    }

    /** Last sequence of the last batch, -1 if none is remembered. */
    public int lastSequence() {
        return batches.length == 0 ? -1 : (int) (batches[batches.length - LONGS] >> 32);
    }

    /** Last offset of the last batch, -1 if none is remembered. */
    public long lastOffset() {
        return batches.length == 0 ? -1 : batches[batches.length - LONGS + 1];
    }

    /** Offset delta of the last batch, 0 if none is remembered. */
    public int lastOffsetDelta() {
        return batches.length == 0 ? 0 : (int) batches[batches.length - LONGS];
    }

    /** The remembered batch of exactly these sequences, or null. */
    public Batch find(int firstSequence, int lastSequence) {
        for (int number = batchCount() - 1; number >= 0; number--) {
            if ((int) (batches[number * LONGS] >> 32) == lastSequence) {
                Batch batch = batch(number);
                if (batch.firstSequence() == firstSequence) return batch;
            }
        }
        return null;
    }

    private static void write(long[] batches, int at, Batch batch) {
        batches[at] = (long) batch.lastSequence << 32 | batch.offsetDelta;
        batches[at + 1] = batch.lastOffset;
        batches[at + 2] = batch.timestampMs;
    }

    /** After one more batch; batches of an older epoch are forgotten. */
    ProducerEntry withBatch(short newEpoch, Batch batch, long newTxnFirstOffset) {
        int keep = newEpoch == epoch ? Math.min(batchCount(), BATCHES - 1) : 0;
        long[] next = new long[(keep + 1) * LONGS];
        System.arraycopy(batches, batches.length - keep * LONGS, next, 0, keep * LONGS);
        write(next, keep * LONGS, batch);
        return new ProducerEntry(
                producerId, newEpoch, coordinatorEpoch, batch.timestampMs, newTxnFirstOffset, next);
    }

    /** After a transaction marker. */
    ProducerEntry withMarker(short newEpoch, int newCoordinatorEpoch, long timestampMs) {
        return new ProducerEntry(
                producerId,
                newEpoch,
                newCoordinatorEpoch,
                timestampMs,
                -1,
                newEpoch == epoch ? batches : NO_BATCHES);
    }
}
