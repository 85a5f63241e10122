// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.log;

/**
 * What a log looks like at one moment; immutable, published by the owner after each change, read by
 * any thread. {@code logStartOffset <= lastStableOffset <= highWatermark <= endOffset}.
 *
 * @param logStartOffset first offset that may be read
 * @param lastStableOffset first offset of the oldest open transaction, at most the high watermark
 * @param highWatermark first offset that is not yet committed
 * @param endOffset offset that the next record gets
 * @param recoveryPoint first offset that is not known to be durable
 */
public record LogView(
        long logStartOffset,
        long lastStableOffset,
        long highWatermark,
        long endOffset,
        long recoveryPoint) {}
