// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.log;

/**
 * Answer to "where did this leader epoch end?" (KIP-101, KIP-279).
 *
 * @param leaderEpoch the largest epoch known that is at most the one asked for, -1 if none
 * @param endOffset the first offset after it, -1 if none
 */
public record EpochEnd(int leaderEpoch, long endOffset) {
    public static final EpochEnd NONE = new EpochEnd(-1, -1);
}
