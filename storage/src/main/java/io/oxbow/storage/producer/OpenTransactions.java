// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.producer;

import java.util.Map;
import java.util.TreeMap;

/**
 * The transactions of a partition that bound its last stable offset: open ones, and ended ones
 * whose marker is not below the high watermark yet. Owned by the owner of the log.
 */
final class OpenTransactions {
    /** First offset to producer id. */
    private final TreeMap<Long, Long> open = new TreeMap<>();

    /** First offset to offset of the marker. */
    private final TreeMap<Long, Long> unreplicated = new TreeMap<>();

    void begin(long firstOffset, long producerId) {
        open.put(firstOffset, producerId);
    }

    /** What the last stable offset will be once {@code ended} has ended. */
    long stableAfter(CompletedTransaction ended) {
        for (Map.Entry<Long, Long> other : open.entrySet()) {
            if (other.getValue() != ended.producerId()) return other.getKey();
        }
        return ended.lastOffset() + 1;
    }

    void end(CompletedTransaction ended) {
        open.remove(ended.firstOffset());
        unreplicated.put(ended.firstOffset(), ended.lastOffset());
    }

    /** Markers below {@code highWatermark} bound nothing any more. */
    void replicatedTo(long highWatermark) {
        if (!unreplicated.isEmpty()) {
            unreplicated.values().removeIf(marker -> marker < highWatermark);
        }
    }

    /** First offset of the oldest transaction that is not known to have ended, -1 if none. */
    long firstUnstable() {
        long first = open.isEmpty() ? -1 : open.firstKey();
        if (unreplicated.isEmpty()) return first;
        long ended = unreplicated.firstKey();
        return first < 0 ? ended : Math.min(first, ended);
    }

    void clear() {
        open.clear();
        unreplicated.clear();
    }
}
