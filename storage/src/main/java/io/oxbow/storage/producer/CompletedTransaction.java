// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.producer;

/**
 * A transaction that a marker ends.
 *
 * @param lastOffset offset of the marker
 */
public record CompletedTransaction(
        long producerId, long firstOffset, long lastOffset, boolean aborted) {}
