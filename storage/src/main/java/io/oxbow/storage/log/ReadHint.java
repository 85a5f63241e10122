// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.log;

/**
 * Where the last read of one reader ended, so that the next one needs no index. Owned by the reader
 * (one thread at a time); filled and used by the log, wrong values are harmless.
 */
public final class ReadHint {
    long segmentBaseOffset = -1;
    long nextOffset = -1;
    long position;

    /** Of the log's history when the values were filled in; see {@link LogState#generation}. */
    long generation = -1;
}
