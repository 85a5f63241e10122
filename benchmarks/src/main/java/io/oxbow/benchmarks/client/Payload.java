// SPDX-License-Identifier: Apache-2.0
package io.oxbow.benchmarks.client;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MemoryRecordsBuilder;

/**
 * What records hold: the same bytes for both peers, made from a fixed seed before a load starts.
 */
public enum Payload {
    /** Random bytes; a codec cannot make them smaller. */
    INCOMPRESSIBLE {
        @Override
        void fill(byte[] value, Random random) {
            random.nextBytes(value);
        }
    },

    /** Lines of key=value pairs from a small vocabulary, as logs and metrics have them. */
    TEXT {
        @Override
        void fill(byte[] value, Random random) {
            StringBuilder text = new StringBuilder(value.length + 32);
            while (text.length() < value.length) {
                text.append(WORDS[random.nextInt(WORDS.length)])
                        .append('=')
                        .append(random.nextInt(10_000))
                        .append(' ');
            }
            byte[] bytes = text.toString().getBytes(StandardCharsets.US_ASCII);
            System.arraycopy(bytes, 0, value, 0, value.length);
        }
    };

    private static final long SEED = 0x0b0bL;
    private static final int VARIANTS = 512;
    private static final String[] WORDS = {
        "host", "status", "latency_ms", "bytes", "path", "user", "region", "zone", "level", "trace"
    };

    abstract void fill(byte[] value, Random random);

    /** Different values of one size. */
    public byte[][] values(int sizeBytes) {
        Random random = new Random(SEED);
        byte[][] values = new byte[VARIANTS][sizeBytes];
        for (byte[] value : values) {
            fill(value, random);
        }
        return values;
    }

    /** One uncompressed batch with as many records of {@code recordBytes} as fit. */
    public MemoryRecords batch(int recordBytes, int batchBytes) {
        byte[][] values = values(recordBytes);
        MemoryRecordsBuilder builder =
                MemoryRecords.builder(
                        ByteBuffer.allocate(batchBytes + 1_024),
                        Compression.NONE,
                        TimestampType.CREATE_TIME,
                        0L);
        long now = System.currentTimeMillis();
        int records = Math.max(1, (batchBytes - 61) / (recordBytes + 10));
        for (int i = 0; i < records; i++) {
            builder.append(now, null, values[i % VARIANTS]);
        }
        return builder.build();
    }
}
