// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.log;

import io.oxbow.storage.producer.ProducerVerdict;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Appends that were accepted and wait for the next write. Owned by the owner of the log. */
final class Staging {
    /** Buffers of {@link #appends}, for the gathering write; grown as needed. */
    private ByteBuffer[] buffers = new ByteBuffer[16];

    private final List<Append> appends = new ArrayList<>();

    /**
     * One append.
     *
     * @param batches patched, from position to limit
     * @param maxTimestampMs of all batches
     * @param effects on producers, one for each batch that has any; null if none
     */
    record Append(
            ByteBuffer batches,
            long baseOffset,
            long lastOffset,
            long maxTimestampMs,
            List<ProducerVerdict.Accepted> effects) {

        int sizeBytes() {
            return batches.remaining();
        }
    }

    void add(Append append) {
        appends.add(append);
    }

    boolean isEmpty() {
        return appends.isEmpty();
    }

    int size() {
        return appends.size();
    }

    Append at(int number) {
        return appends.get(number);
    }

    /** The buffers of a run of appends; their positions may be moved. */
    ByteBuffer[] buffers(int from, int to) {
        int count = to - from;
        if (buffers.length < count) buffers = new ByteBuffer[Math.max(count, buffers.length * 2)];
        for (int i = 0; i < count; i++) buffers[i] = appends.get(from + i).batches.duplicate();
        return buffers;
    }

    void clear() {
        appends.clear();
        java.util.Arrays.fill(buffers, null);
    }
}
