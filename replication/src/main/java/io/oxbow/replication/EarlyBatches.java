// SPDX-License-Identifier: Apache-2.0
package io.oxbow.replication;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The first batch of each idempotent producer that was refused because its partition was still
 * starting. A producer sends several requests ahead: when the partition becomes ready between two
 * of them, the later batch must not be taken before the earlier one comes again, since a log that
 * does not know the producer takes any sequence as its first (and the earlier one never after it).
 *
 * <p>Any network thread; the batches of one producer come by one connection, so in order. An entry
 * goes when its batch comes again, or when the producer gives it up by a new epoch. A producer that
 * has died does neither: all go {@value #KEPT_MINUTES} minutes after the last one was refused, much
 * later than any producer sends again. At most {@value #MOST} are kept; a partition that more
 * producers want at once while it starts holds back the batches of those.
 */
public final class EarlyBatches {
    static final int MOST = 1_000;
    private static final int KEPT_MINUTES = 10;
    private static final long KEPT_NANOS = TimeUnit.MINUTES.toNanos(KEPT_MINUTES);

    private record First(short epoch, int sequence) {
        boolean before(First other) {
            return epoch > other.epoch || (epoch == other.epoch && sequence < other.sequence);
        }
    }

    // Concurrent: connections of different network threads; empty but for a moment after a start.
    private final ConcurrentHashMap<Long, First> refused = new ConcurrentHashMap<>();

    /** Of the last refusal. Network threads write and read it; a little late does no harm. */
    private volatile long lastNanos;

    EarlyBatches() {}

    /**
     * A batch is refused because the partition is starting.
     *
     * @param nowNanos when it came
     */
    public void refuse(long producerId, short epoch, int firstSequence, long nowNanos) {
        lastNanos = nowNanos;
        First first = new First(epoch, firstSequence);
        if (refused.size() < MOST) {
            refused.merge(producerId, first, (known, late) -> late.before(known) ? late : known);
        } else {
            refused.computeIfPresent(producerId, (_, known) -> first.before(known) ? first : known);
        }
    }

    /**
     * Whether a batch has to wait until an earlier one of its producer has come again.
     *
     * @param nowNanos when it came
     */
    public boolean mustWait(long producerId, short epoch, int firstSequence, long nowNanos) {
        if (refused.isEmpty()) return false;
        if (nowNanos - lastNanos > KEPT_NANOS) {
            refused.clear();
            return false;
        }
        First first = refused.get(producerId);
        if (first == null) return false;
        if (epoch == first.epoch && firstSequence > first.sequence) return true;
        refused.remove(producerId, first);
        return false;
    }
}
