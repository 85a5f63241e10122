// SPDX-License-Identifier: Apache-2.0
package io.oxbow.replication;

import java.util.concurrent.ConcurrentHashMap;

/**
 * The first batch of each idempotent producer that was refused because its partition was still
 * starting. A producer sends several requests ahead: when the partition becomes ready between two
 * of them, the later batch must not be taken before the earlier one comes again, since a log that
 * does not know the producer takes any sequence as its first (and the earlier one never after it).
 *
 * <p>Any network thread; the batches of one producer come by one connection, so in order. An entry
 * goes when its batch comes again, or when the producer gives it up by a new epoch.
 */
public final class EarlyBatches {
    private record First(short epoch, int sequence) {
        boolean before(First other) {
            return epoch > other.epoch || (epoch == other.epoch && sequence < other.sequence);
        }
    }

    // Concurrent: connections of different network threads; empty but for a moment after a start.
    private final ConcurrentHashMap<Long, First> refused = new ConcurrentHashMap<>();

    EarlyBatches() {}

    /** A batch is refused because the partition is starting. */
    public void refuse(long producerId, short epoch, int firstSequence) {
        refused.merge(
                producerId,
                new First(epoch, firstSequence),
                (known, late) -> late.before(known) ? late : known);
    }

    /** Whether a batch has to wait until an earlier one of its producer has come again. */
    public boolean mustWait(long producerId, short epoch, int firstSequence) {
        if (refused.isEmpty()) return false;
        First first = refused.get(producerId);
        if (first == null) return false;
        if (epoch == first.epoch && firstSequence > first.sequence) return true;
        refused.remove(producerId, first);
        return false;
    }
}
