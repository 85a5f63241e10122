// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.log;

import java.util.List;

/** What a read found. */
public sealed interface ReadOutcome {

    /**
     * Records from the asked offset on (the first batch may begin before it).
     *
     * @param slice null if nothing is there yet (the offset equals the upper bound)
     * @param view the log as it was when the slice was taken
     * @param aborted aborted transactions that overlap the slice; empty unless asked for
     * @param nextOffset a hint: the offset after the last whole batch of the slice, or -1
     */
    record Records(LogSlice slice, LogView view, List<AbortedRange> aborted, long nextOffset)
            implements ReadOutcome {}

    /** The offset is below the log start or beyond the end. */
    record OutOfRange(LogView view) implements ReadOutcome {}

    /** It may be on disk only: ask again through {@code HostedLog.readLater}. */
    record NotCached() implements ReadOutcome {}

    /** The log cannot be read now: its directory is offline or it is being recovered or deleted. */
    record Unavailable(String why) implements ReadOutcome {}

    /** One aborted transaction: {@code producerId} wrote from {@code firstOffset} on. */
    record AbortedRange(long producerId, long firstOffset) {}
}
