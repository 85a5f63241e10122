// SPDX-License-Identifier: Apache-2.0
package io.oxbow.testkit.census;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/**
 * One record as served, with its bytes reduced to two checksums: small enough to keep for millions
 * of records, and telling enough to say what differs.
 *
 * @param kind timestamp type, e.g. "CreateTime"
 * @param epoch leader epoch of its batch, -1 if unknown
 * @param keySize bytes, -1 for a null key
 * @param valueSize bytes, -1 for a null value
 * @param content checksum of key and value
 * @param headers checksum of all headers in order
 */
public record RecordPrint(
        long offset,
        long timestampMs,
        String kind,
        int epoch,
        int keySize,
        int valueSize,
        int content,
        int headers) {

    static RecordPrint of(ConsumerRecord<byte[], byte[]> consumed) {
        CRC32C content = new CRC32C();
        add(content, consumed.key());
        add(content, consumed.value());
        CRC32C headers = new CRC32C();
        for (Header header : consumed.headers()) {
            add(headers, header.key().getBytes(java.nio.charset.StandardCharsets.UTF_8));
            add(headers, header.value());
        }
        return new RecordPrint(
                consumed.offset(),
                consumed.timestamp(),
                consumed.timestampType().toString(),
                consumed.leaderEpoch().orElse(-1),
                consumed.serializedKeySize(),
                consumed.serializedValueSize(),
                (int) content.getValue(),
                (int) headers.getValue());
    }

    private static void add(CRC32C sum, byte[] bytes) {
        sum.update(ByteBuffer.allocate(4).putInt(0, bytes == null ? -1 : bytes.length));
        if (bytes != null) {
            sum.update(bytes);
        }
    }
}
