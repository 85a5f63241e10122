// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.segment;

/**
 * {@code .timeindex}: sparse map from the largest timestamp so far to the offset that it was seen
 * at, ascending in both.
 *
 * <pre>
 * offset size type  field
 *      0    8 int64 largest timestamp of the segment up to and with that batch, ms
 *      8    4 int32 last offset of the batch that has it, less the segment's base offset
 *     12            next entry
 * </pre>
 *
 * Big endian, no header, no checksum. An entry is added together with one of the offset index, and
 * when the segment is rolled or closed, but only if its timestamp is larger than the last entry's;
 * so the last entry of a rolled segment holds its largest timestamp. Zero tails and damage: as for
 * {@link OffsetIndexFormat}.
 */
public final class TimeIndexFormat {
    public static final int ENTRY_BYTES = 12;
    public static final int TIMESTAMP = 0;
    public static final int RELATIVE_OFFSET = 8;

    private TimeIndexFormat() {}
}
