// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.dir;

import io.oxbow.base.error.CorruptException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/**
 * One offset per partition, as text in UTF-8:
 *
 * <pre>
 * 0                       version
 * 2                       number of lines that follow
 * orders 0 1042           topic, partition, offset (0 or more), separated by blanks
 * orders 7 12
 * </pre>
 *
 * No checksum; the files are replaced atomically. A reader refuses an empty or malformed file, a
 * wrong count, a negative offset or an unknown version with {@link CorruptException}; what the file
 * held can always be rebuilt.
 */
public final class OffsetCheckpointFormat {
    private static final int VERSION = 0;

    private OffsetCheckpointFormat() {}

    /** Reads a whole file. */
    public static Map<TopicPartition, Long> parse(byte[] content) {
        List<String> lines = new String(content, StandardCharsets.UTF_8).lines().toList();
        if (lines.size() < 2) throw new CorruptException("it has no version and count");
        try {
            int version = Integer.parseInt(lines.get(0).trim());
            if (version != VERSION) throw new CorruptException("its version is " + version);
            int count = Integer.parseInt(lines.get(1).trim());
            if (count != lines.size() - 2) {
                throw new CorruptException(
                        "it should have " + count + " lines, but has " + (lines.size() - 2));
            }
            Map<TopicPartition, Long> offsets = HashMap.newHashMap(count);
            for (int i = 2; i < lines.size(); i++) parseLine(lines.get(i), offsets);
            return offsets;
        } catch (NumberFormatException malformed) {
            throw new CorruptException("a number is malformed", malformed);
        }
    }

    private static void parseLine(String line, Map<TopicPartition, Long> into) {
        String[] fields = line.trim().split("\\s+", -1);
        if (fields.length != 3) throw new CorruptException("a line is malformed: '" + line + "'");
        long offset = Long.parseLong(fields[2]);
        if (offset < 0) throw new CorruptException("an offset is negative: '" + line + "'");
        into.put(new TopicPartition(fields[0], Integer.parseInt(fields[1])), offset);
    }

    public static byte[] render(Map<TopicPartition, Long> offsets) {
        StringBuilder text = new StringBuilder(16 + offsets.size() * 32);
        text.append(VERSION).append('\n').append(offsets.size()).append('\n');
        offsets.forEach(
                (partition, offset) ->
                        text.append(partition.topic())
                                .append(' ')
                                .append(partition.partition())
                                .append(' ')
                                .append((long) offset)
                                .append('\n'));
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }
}
