// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.segment;

/**
 * A transaction that was aborted.
 *
 * @param lastOffset offset of its marker
 * @param lastStableOffset the log's when the marker was written: every transaction that ended
 *     before that offset has its entry no later than this one
 */
public record AbortedTransaction(
        long producerId, long firstOffset, long lastOffset, long lastStableOffset) {}
