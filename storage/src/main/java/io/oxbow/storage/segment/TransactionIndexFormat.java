// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.segment;

import io.oxbow.base.error.CorruptException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code .txnindex}: the transactions whose abort marker lies in the segment, in the order of the
 * markers. The file exists only if there is one.
 *
 * <pre>
 * offset size type  field
 *      0    2 int16 version = 0
 *      2    8 int64 producer id
 *     10    8 int64 first offset of the transaction
 *     18    8 int64 last offset: that of its marker
 *     26    8 int64 last stable offset when the marker was written
 *     34            next entry
 * </pre>
 *
 * Big endian, no checksum. A file of another version or that ends within an entry is corrupt: it is
 * rebuilt from the log.
 */
public final class TransactionIndexFormat {
    public static final int ENTRY_BYTES = 34;
    private static final short VERSION = 0;

    private TransactionIndexFormat() {}

    public static ByteBuffer encode(List<AbortedTransaction> entries) {
        ByteBuffer bytes = ByteBuffer.allocate(entries.size() * ENTRY_BYTES);
        for (AbortedTransaction entry : entries) {
            bytes.putShort(VERSION)
                    .putLong(entry.producerId())
                    .putLong(entry.firstOffset())
                    .putLong(entry.lastOffset())
                    .putLong(entry.lastStableOffset());
        }
        return bytes.flip();
    }

    /**
     * Reads a whole index.
     *
     * @param path for the message
     * @throws CorruptException if the bytes are not whole entries of a known version
     */
    public static List<AbortedTransaction> decode(byte[] content, Path path) {
        if (content.length % ENTRY_BYTES != 0) {
            throw new CorruptException(path + " ends within an entry: " + content.length + " B");
        }
        ByteBuffer bytes = ByteBuffer.wrap(content);
        List<AbortedTransaction> entries = new ArrayList<>(content.length / ENTRY_BYTES);
        while (bytes.hasRemaining()) {
            short version = bytes.getShort();
            if (version != VERSION) {
                throw new CorruptException(path + " holds an entry of version " + version);
            }
            entries.add(
                    new AbortedTransaction(
                            bytes.getLong(), bytes.getLong(), bytes.getLong(), bytes.getLong()));
        }
        return entries;
    }
}
