// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.log;

/**
 * What to read.
 *
 * @param maxBytes most bytes; the first batch is returned whole if {@code atLeastOneBatch}, even
 *     when it is larger
 * @param upTo which records may be seen
 */
public record ReadRequest(long offset, int maxBytes, boolean atLeastOneBatch, Isolation upTo) {

    /** How far a reader may see. */
    public enum Isolation {
        /** Followers: everything. */
        LOG_END,
        /** Consumers: what is committed. */
        HIGH_WATERMARK,
        /** {@code read_committed} consumers: no open transaction. */
        LAST_STABLE
    }
}
