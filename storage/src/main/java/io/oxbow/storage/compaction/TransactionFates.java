// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.compaction;

import io.oxbow.storage.segment.AbortedTransaction;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;

/**
 * Follows transactions through batches that are read in the order of the log: which batches belong
 * to an aborted one, and which markers have nothing left that they end. Used by one thread for one
 * pass.
 */
final class TransactionFates {
    private final PriorityQueue<AbortedTransaction> toCome =
            new PriorityQueue<>(Comparator.comparingLong(AbortedTransaction::firstOffset));

    /** By producer; with whether a batch of it has been seen in this pass. */
    private final Map<Long, Aborted> openAborted = new HashMap<>();

    /** Producers with batches of a transaction that was (or will be) committed. */
    private final Set<Long> openCommitted = new HashSet<>();

    private final List<AbortedTransaction> stillNeeded = new ArrayList<>();

    private static final class Aborted {
        private final AbortedTransaction transaction;
        private boolean seen;

        Aborted(AbortedTransaction transaction) {
            this.transaction = transaction;
        }
    }

    /**
     * @param aborted those of the log whose marker the pass meets, as its transaction indexes say;
     *     an entry lies in the segment of the marker, which may be later than the one of the data
     */
    TransactionFates(Collection<AbortedTransaction> aborted) {
        toCome.addAll(aborted);
    }

    /** Whether the records of this batch can go: aborted data, or a marker that ends nothing. */
    boolean discards(RecordBatch batch) {
        begin(batch.lastOffset());
        if (batch.isControlBatch()) return discardsMarker(batch);
        if (!batch.isTransactional()) return false;
        Aborted aborted = openAborted.get(batch.producerId());
        if (aborted == null) {
            openCommitted.add(batch.producerId());
            return false;
        }
        aborted.seen = true;
        return true;
    }

    /** Aborted transactions of which batches were seen: their index entries are kept. Drained. */
    List<AbortedTransaction> takeStillNeeded() {
        List<AbortedTransaction> taken = List.copyOf(stillNeeded);
        stillNeeded.clear();
        return taken;
    }

    private void begin(long upToOffset) {
        while (!toCome.isEmpty() && toCome.peek().firstOffset() <= upToOffset) {
            AbortedTransaction transaction = toCome.poll();
            openAborted.putIfAbsent(transaction.producerId(), new Aborted(transaction));
        }
    }

    private boolean discardsMarker(RecordBatch batch) {
        Iterator<Record> records = batch.iterator();
        // Emptied by an earlier run.
        if (!records.hasNext()) return true;
        return switch (ControlRecordType.parse(records.next().key())) {
            case ABORT -> {
                Aborted aborted = openAborted.remove(batch.producerId());
                if (aborted == null || !aborted.seen) yield true;
                stillNeeded.add(aborted.transaction);
                yield false;
            }
            case COMMIT -> !openCommitted.remove(batch.producerId());
            default -> false;
        };
    }
}
