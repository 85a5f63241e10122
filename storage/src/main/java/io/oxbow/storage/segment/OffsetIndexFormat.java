// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.segment;

/**
 * {@code .index}: sparse map from offset to position in the segment, ascending in both.
 *
 * <pre>
 * offset size type  field
 *      0    4 int32 last offset of a batch, less the segment's base offset
 *      4    4 int32 position of that batch in the .log
 *      8           next entry
 * </pre>
 *
 * Big endian, no header, no checksum. One entry for the first batch that starts more than {@code
 * index.interval.bytes} after the batch of the last entry (or the start of the segment). While a
 * segment is active Kafka keeps the file at {@code segment.index.bytes} with zeros after the last
 * entry; a reader stops at an entry that does not ascend. A file that is missing, ends within an
 * entry or disagrees with the log is rebuilt from the log.
 */
public final class OffsetIndexFormat {
    public static final int ENTRY_BYTES = 8;
    public static final int RELATIVE_OFFSET = 0;
    public static final int POSITION = 4;

    private OffsetIndexFormat() {}
}
