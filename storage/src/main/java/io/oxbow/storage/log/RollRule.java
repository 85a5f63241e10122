// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.log;

/** When the active segment is rolled before an append (Kafka's rules). Pure. */
final class RollRule {
    private RollRule() {}

    /**
     * The active segment and what is to be appended.
     *
     * @param sizeBytes of the segment, with what is about to be written
     * @param ageMs of the segment at the append
     * @param indexFull whether an index has no room for more entries
     * @param offsetsReach whether the last offset can be told relative to the base offset
     * @param appendBytes size of the append
     */
    record Facts(
            long sizeBytes, long ageMs, boolean indexFull, boolean offsetsReach, int appendBytes) {}

    /**
     * @param jitterMs taken off {@code segment.ms} for this segment
     */
    static boolean due(Facts facts, LogSettings settings, long jitterMs) {
        if (!facts.offsetsReach) return true;
        if (facts.sizeBytes == 0) return false;
        return facts.sizeBytes > settings.segmentBytes() - (long) facts.appendBytes
                || facts.ageMs > settings.segmentMs() - jitterMs
                || facts.indexFull;
    }
}
