// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.segment;

import java.util.Locale;

/**
 * Names of the files of a segment: its base offset in 20 digits and what the file holds.
 *
 * <pre>
 * 00000000000000368769.log        record batches, back to back, nothing else
 * 00000000000000368769.index      {@link OffsetIndexFormat}
 * 00000000000000368769.timeindex  {@link TimeIndexFormat}
 * 00000000000000368769.txnindex   {@link TransactionIndexFormat}; only if transactions were aborted
 * 00000000000000368769.snapshot   producer state before that offset
 * </pre>
 *
 * A further suffix marks a step of a change that a crash may interrupt:
 *
 * <pre>
 * .deleted  no longer part of the log; removed after a while, and at the next start
 * .cleaned  being written by compaction; removed at the next start
 * .swap     written by compaction and complete; replaces what it covers, also at the next start
 * </pre>
 */
public final class SegmentFormat {
    public static final String LOG = ".log";
    public static final String INDEX = ".index";
    public static final String TIME_INDEX = ".timeindex";
    public static final String TXN_INDEX = ".txnindex";
    public static final String SNAPSHOT = ".snapshot";

    public static final String DELETED = ".deleted";
    public static final String CLEANED = ".cleaned";
    public static final String SWAP = ".swap";

    private static final int DIGITS = 20;

    private SegmentFormat() {}

    /** File name, e.g. {@code 00000000000000000042.log}. */
    public static String name(long baseOffset, String kind) {
        return String.format(Locale.ROOT, "%020d", baseOffset) + kind;
    }

    /** The offset that a file name begins with, -1 if it does not begin with one. */
    public static long offsetOf(String fileName) {
        if (fileName.length() <= DIGITS || fileName.charAt(DIGITS) != '.') return -1;
        long offset = 0;
        for (int i = 0; i < DIGITS; i++) {
            int digit = fileName.charAt(i) - '0';
            if (digit < 0 || digit > 9) return -1;
            offset = offset * 10 + digit;
        }
        return offset;
    }

    /** Everything after the offset, e.g. {@code .log} or {@code .index.swap}. */
    public static String kindOf(String fileName) {
        return fileName.substring(DIGITS);
    }
}
