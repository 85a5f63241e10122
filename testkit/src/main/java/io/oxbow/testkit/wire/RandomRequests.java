// SPDX-License-Identifier: Apache-2.0
package io.oxbow.testkit.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.protocol.types.BoundField;
import org.apache.kafka.common.protocol.types.Schema;
import org.apache.kafka.common.protocol.types.Struct;
import org.apache.kafka.common.protocol.types.TaggedFields;
import org.apache.kafka.common.protocol.types.Type;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.requests.RequestHeader;

/**
 * Well-formed request frames of any API key and version with random content, made from the schemas
 * that kafka-clients has for them. Names are taken from a few words, so that some of them mean
 * something to the broker; numbers are small, or the extremes of their type.
 */
public final class RandomRequests {

    private static final int MAX_ELEMENTS = 3;

    private final Random random;
    private final List<String> words;

    /**
     * @param words for every string, beside empty and odd ones
     */
    public RandomRequests(Random random, List<String> words) {
        this.random = random;
        this.words = List.copyOf(words);
    }

    /** A frame of {@code key} in one of its versions, without its size. */
    public byte[] next(ApiKeys key) {
        ApiMessageType type = ApiMessageType.fromApiKey(key.id);
        int lowest = type.lowestSupportedVersion();
        int versions = type.highestSupportedVersion(true) - lowest + 1;
        if (versions <= 0) {
            return removed(key);
        }
        short version = (short) (lowest + random.nextInt(versions));
        Schema schema = type.requestSchemas()[version];
        Struct body = struct(schema);
        RequestHeader header = new RequestHeader(key, version, "random", random.nextInt());
        ByteBuffer head =
                MessageUtil.toByteBufferAccessor(header.data(), key.requestHeaderVersion(version))
                        .buffer();
        ByteBuffer frame = ByteBuffer.allocate(head.remaining() + schema.sizeOf(body));
        frame.put(head);
        schema.write(frame, body);
        return frame.array();
    }

    /** A key that has no version any more: its number, and noise. */
    private byte[] removed(ApiKeys key) {
        byte[] noise = new byte[8 + random.nextInt(64)];
        random.nextBytes(noise);
        ByteBuffer.wrap(noise).putShort(key.id).putShort((short) random.nextInt(4));
        return noise;
    }

    private Struct struct(Schema schema) {
        Struct struct = new Struct(schema);
        for (BoundField field : schema.fields()) {
            struct.set(field, value(field.def.type));
        }
        return struct;
    }

    private Object value(Type type) {
        if (type.isNullable() && random.nextInt(8) == 0) {
            return null;
        }
        if (type instanceof Schema schema) {
            return struct(schema);
        }
        if (type instanceof TaggedFields tagged) {
            return tags(tagged);
        }
        if (type.isArray()) {
            return array(type.arrayElementType().orElseThrow());
        }
        return scalar(type.toString());
    }

    private Object tags(TaggedFields tagged) {
        TreeMap<Integer, Object> values = new TreeMap<>();
        tagged.fields()
                .forEach(
                        (tag, field) -> {
                            if (random.nextInt(4) == 0) {
                                Object value = value(field.type);
                                if (value != null) {
                                    values.put(tag, value);
                                }
                            }
                        });
        return values;
    }

    private Object[] array(Type element) {
        Object[] values = new Object[random.nextInt(MAX_ELEMENTS)];
        for (int i = 0; i < values.length; i++) {
            values[i] = value(element);
        }
        return values;
    }

    private Object scalar(String type) {
        return switch (type) {
            case "BOOLEAN" -> random.nextBoolean();
            case "INT8" -> (byte) number(Byte.MIN_VALUE, Byte.MAX_VALUE);
            case "INT16" -> (short) number(Short.MIN_VALUE, Short.MAX_VALUE);
            case "UINT16" -> (int) number(0, 65_535);
            case "INT32", "VARINT" -> (int) number(Integer.MIN_VALUE, Integer.MAX_VALUE);
            case "UINT32" -> number(0, 4_294_967_295L);
            case "INT64", "VARLONG" -> number(Long.MIN_VALUE, Long.MAX_VALUE);
            case "FLOAT64" -> random.nextBoolean() ? random.nextDouble() : Double.NaN;
            case "UUID" -> random.nextInt(4) == 0 ? Uuid.ZERO_UUID : Uuid.randomUuid();
            case "STRING", "COMPACT_STRING", "NULLABLE_STRING", "COMPACT_NULLABLE_STRING" -> word();
            case "BYTES", "COMPACT_BYTES", "NULLABLE_BYTES", "COMPACT_NULLABLE_BYTES" ->
                    ByteBuffer.wrap(word().getBytes(StandardCharsets.UTF_8));
            case "RECORDS", "COMPACT_RECORDS", "NULLABLE_RECORDS", "COMPACT_NULLABLE_RECORDS" ->
                    MemoryRecords.withRecords(
                            Compression.NONE,
                            new SimpleRecord(1, word().getBytes(StandardCharsets.UTF_8)));
            default -> throw new IllegalStateException("a type without values: " + type);
        };
    }

    private long number(long smallest, long largest) {
        return switch (random.nextInt(12)) {
            case 0 -> smallest;
            case 1 -> largest;
            case 2 -> Math.max(smallest, -1);
            default -> random.nextInt(4);
        };
    }

    private String word() {
        return switch (random.nextInt(10)) {
            case 0 -> "";
            case 1 -> "\u0000\uD83D\uDE00/../" + random.nextInt();
            case 2 -> "x".repeat(random.nextInt(400));
            default -> words.get(random.nextInt(words.size()));
        };
    }
}
