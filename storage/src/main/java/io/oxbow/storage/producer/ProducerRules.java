// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.producer;

import io.oxbow.storage.producer.ProducerVerdict.Accepted;
import io.oxbow.storage.producer.ProducerVerdict.Duplicate;
import io.oxbow.storage.producer.ProducerVerdict.Reason;
import io.oxbow.storage.producer.ProducerVerdict.Refused;

/**
 * Whether a batch of a producer may be written (KIP-98, KIP-360): sequences follow on, epochs do
 * not go back, batches sent again are recognised, transactions are kept apart. Pure.
 */
public final class ProducerRules {
    private ProducerRules() {}

    /** How far the sender is trusted. */
    public enum Sender {
        /** A client: everything is checked. */
        CLIENT,
        /** A coordinator of ours: sequences are its own business. */
        COORDINATOR,
        /** The leader's log or our own: it was checked there. */
        LOG
    }

    /** A data batch as its header says. */
    public record Data(
            short epoch,
            int firstSequence,
            long firstOffset,
            int offsetDelta,
            long timestampMs,
            boolean transactional) {

        /** Sequence of the last record. */
        public int lastSequence() {
            // Coordinators write without sequences.
            return firstSequence < 0 ? firstSequence : Sequences.plus(firstSequence, offsetDelta);
        }

        long lastOffset() {
            return firstOffset + offsetDelta;
        }
    }

    /** A transaction marker. */
    public record Marker(
            short epoch, int coordinatorEpoch, boolean abort, long offset, long timestampMs) {}

    public static ProducerVerdict data(ProducerEntry entry, Data batch, Sender sender) {
        if (sender == Sender.CLIENT && batch.epoch == entry.epoch()) {
            ProducerEntry.Batch before = entry.find(batch.firstSequence, batch.lastSequence());
            if (before != null) return new Duplicate(before);
        }
        Refused refused = checkEpoch(entry, batch.epoch, sender);
        if (refused == null && sender == Sender.CLIENT) refused = checkSequence(entry, batch);
        if (refused != null) return refused;
        boolean open = entry.txnFirstOffset() >= 0;
        if (open && !batch.transactional) {
            return new Refused(
                    Reason.INVALID_TXN_STATE,
                    "Producer "
                            + entry.producerId()
                            + " has a transaction open since offset "
                            + entry.txnFirstOffset()
                            + " and sent a batch outside of it");
        }
        long txn = open || !batch.transactional ? entry.txnFirstOffset() : batch.firstOffset;
        ProducerEntry.Batch written =
                new ProducerEntry.Batch(
                        batch.lastSequence(),
                        batch.lastOffset(),
                        batch.offsetDelta,
                        batch.timestampMs);
        return new Accepted(entry.withBatch(batch.epoch, written, txn), null);
    }

    public static ProducerVerdict marker(ProducerEntry entry, Marker marker, Sender sender) {
        Refused refused = checkEpoch(entry, marker.epoch, sender);
        if (refused != null) return refused;
        if (sender != Sender.LOG && marker.coordinatorEpoch < entry.coordinatorEpoch()) {
            return new Refused(
                    Reason.COORDINATOR_FENCED,
                    "Marker of coordinator epoch "
                            + marker.coordinatorEpoch
                            + " for producer "
                            + entry.producerId()
                            + " after one of epoch "
                            + entry.coordinatorEpoch());
        }
        CompletedTransaction completed =
                entry.txnFirstOffset() < 0
                        ? null
                        : new CompletedTransaction(
                                entry.producerId(),
                                entry.txnFirstOffset(),
                                marker.offset,
                                marker.abort);
        return new Accepted(
                entry.withMarker(marker.epoch, marker.coordinatorEpoch, marker.timestampMs),
                completed);
    }

    private static Refused checkEpoch(ProducerEntry entry, short epoch, Sender sender) {
        if (sender == Sender.LOG || epoch >= entry.epoch()) return null;
        return new Refused(
                Reason.INVALID_PRODUCER_EPOCH,
                "Epoch "
                        + epoch
                        + " of producer "
                        + entry.producerId()
                        + " is smaller than the last seen epoch "
                        + entry.epoch());
    }

    private static Refused checkSequence(ProducerEntry entry, Data batch) {
        // Known by nothing (its records may be gone by retention): any sequence will do.
        if (entry.epoch() == -1) return null;
        if (batch.epoch != entry.epoch()) {
            return batch.firstSequence == 0
                    ? null
                    : outOfOrder(entry, batch, "a new epoch begins with sequence 0");
        }
        if (Sequences.follows(entry.lastSequence(), batch.firstSequence)) return null;
        return outOfOrder(entry, batch, "the last sequence is " + entry.lastSequence());
    }

    private static Refused outOfOrder(ProducerEntry entry, Data batch, String why) {
        return new Refused(
                Reason.OUT_OF_ORDER_SEQUENCE,
                "Out of order sequence "
                        + batch.firstSequence
                        + " of producer "
                        + entry.producerId()
                        + ", epoch "
                        + batch.epoch
                        + ": "
                        + why);
    }
}
