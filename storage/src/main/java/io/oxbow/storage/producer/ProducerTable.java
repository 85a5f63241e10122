// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.producer;

import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

/**
 * The producers of one partition and its open transactions, up to {@link #endOffset}. Changes are
 * staged first and take effect one by one when their bytes are written, or are dropped together.
 * Owned by the owner of the log.
 */
public final class ProducerTable {
    /** Its iteration order is the order in a snapshot; the same kind of map as Kafka's. */
    private final Map<Long, ProducerEntry> entries = new HashMap<>();

    private final Map<Long, ProducerEntry> staged = new HashMap<>();
    private final OpenTransactions transactions = new OpenTransactions();
    private long endOffset;

    /** First offset that is not reflected here. */
    public long endOffset() {
        return endOffset;
    }

    public void endOffset(long offset) {
        endOffset = offset;
    }

    public boolean isEmpty() {
        return entries.isEmpty();
    }

    public Collection<ProducerEntry> entries() {
        return Collections.unmodifiableCollection(entries.values());
    }

    /** The producer as it will be after what is staged; never null. */
    public ProducerEntry ahead(long producerId) {
        ProducerEntry entry = staged.isEmpty() ? null : staged.get(producerId);
        if (entry == null) entry = entries.get(producerId);
        return entry == null ? ProducerEntry.unknown(producerId) : entry;
    }

    public void stage(ProducerEntry next) {
        staged.put(next.producerId(), next);
    }

    /** Drops all that was staged and not applied. */
    public void dropStaged() {
        staged.clear();
    }

    /** A batch with this effect has been written. */
    public void apply(ProducerEntry next) {
        ProducerEntry before = entries.put(next.producerId(), next);
        boolean wasOpen = before != null && before.txnFirstOffset() >= 0;
        if (next.txnFirstOffset() >= 0 && !wasOpen) {
            transactions.begin(next.txnFirstOffset(), next.producerId());
        }
    }

    /** What the last stable offset is right after the marker of {@code ended}. */
    public long stableAfter(CompletedTransaction ended) {
        return transactions.stableAfter(ended);
    }

    public void complete(CompletedTransaction ended) {
        transactions.end(ended);
    }

    public void replicatedTo(long highWatermark) {
        transactions.replicatedTo(highWatermark);
    }

    /** First offset of the oldest transaction that is open or not yet replicated, -1 if none. */
    public long firstUnstable() {
        return transactions.firstUnstable();
    }

    /** Forgets producers that have been silent for {@code expirationMs}, save in a transaction. */
    public void expire(long nowMs, long expirationMs) {
        entries.values().removeIf(entry -> expired(entry, nowMs, expirationMs));
    }

    private static boolean expired(ProducerEntry entry, long nowMs, long expirationMs) {
        return entry.txnFirstOffset() < 0 && nowMs - entry.lastTimestampMs() >= expirationMs;
    }

    /** Starts over from a snapshot taken at {@code offset}; expired producers are left out. */
    public void restore(
            Collection<ProducerEntry> snapshot, long offset, long nowMs, long expirationMs) {
        clear(offset);
        for (ProducerEntry entry : snapshot) {
            if (!expired(entry, nowMs, expirationMs)) apply(entry);
        }
    }

    /** Forgets everything; the next batch is expected at {@code offset}. */
    public void clear(long offset) {
        entries.clear();
        staged.clear();
        transactions.clear();
        endOffset = offset;
    }
}
