// SPDX-License-Identifier: Apache-2.0
package io.oxbow.testkit.load;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * Records of mixed shapes on a seed: null, empty and large keys and values, text that compresses
 * and noise that does not, headers with and without values, timestamps in and out of order. Used by
 * one thread.
 */
public final class RandomRecords {

    private static final String WORDS =
            "the river leaves its old bend beside itself and the bend is kept as a lake ";

    private final Random random;
    private long timestampMs;

    /**
     * @param firstTimestampMs near which timestamps begin; not so old that the broker forgets the
     *     producers at once
     */
    public RandomRecords(long seed, long firstTimestampMs) {
        this.random = new Random(seed);
        this.timestampMs = firstTimestampMs;
    }

    /** The next record for a partition, of about {@code meanSize} bytes. */
    public ProducerRecord<byte[], byte[]> next(String topic, int partition, int meanSize) {
        RecordHeaders headers = new RecordHeaders();
        for (int i = random.nextInt(8) - 4; i > 0; i--) {
            headers.add("h" + random.nextInt(3), random.nextInt(5) == 0 ? null : bytes(20));
        }
        return new ProducerRecord<>(
                topic, partition, nextTimestamp(), key(), value(meanSize), headers);
    }

    /** A record with one of {@code keys} keys, sometimes a tombstone, for compacted topics. */
    public ProducerRecord<byte[], byte[]> nextKeyed(String topic, int partition, int keys) {
        byte[] key = ("key-" + random.nextInt(keys)).getBytes(StandardCharsets.UTF_8);
        byte[] value = random.nextInt(20) == 0 ? null : bytes(200);
        return new ProducerRecord<>(topic, partition, nextTimestamp(), key, value);
    }

    /** A whole number from 0, below {@code bound}. */
    public int below(int bound) {
        return random.nextInt(bound);
    }

    private long nextTimestamp() {
        // A millisecond on average: a few million must not end an hour ahead, which is refused.
        timestampMs += random.nextInt(3);
        return random.nextInt(10) == 0 ? timestampMs - random.nextInt(5_000) : timestampMs;
    }

    private byte[] key() {
        return switch (random.nextInt(6)) {
            case 0 -> null;
            case 1 -> new byte[0];
            default -> ("k" + random.nextInt(100_000)).getBytes(StandardCharsets.UTF_8);
        };
    }

    private byte[] value(int meanSize) {
        return switch (random.nextInt(20)) {
            case 0 -> null;
            case 1 -> new byte[0];
            case 2 -> bytes(meanSize * 5);
            default -> random.nextBoolean() ? bytes(meanSize * 2) : text(meanSize * 2);
        };
    }

    private byte[] bytes(int maxSize) {
        byte[] noise = new byte[random.nextInt(maxSize) + 1];
        random.nextBytes(noise);
        return noise;
    }

    private byte[] text(int maxSize) {
        byte[] words = WORDS.getBytes(StandardCharsets.UTF_8);
        byte[] text = new byte[random.nextInt(maxSize) + 1];
        int from = random.nextInt(words.length);
        for (int i = 0; i < text.length; i++) {
            text[i] = words[(from + i) % words.length];
        }
        return text;
    }
}
