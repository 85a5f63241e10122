// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.log;

import io.oxbow.base.error.CorruptException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.apache.kafka.common.Uuid;

/**
 * {@code partition.metadata}: which topic the folder belongs to. Text:
 *
 * <pre>
 * version: 0
 * topic_id: uGFPGDdhQ2WGcbYPHnWrSA
 * </pre>
 *
 * Ends without a newline; written once, atomically. A file that does not follow this counts as
 * missing: the id is written again when the metadata tells it.
 */
public final class PartitionMetadataFormat {
    public static final String FILE_NAME = "partition.metadata";
    private static final String VERSION = "version: 0";
    private static final String TOPIC_ID = "topic_id: ";

    private PartitionMetadataFormat() {}

    public static byte[] encode(Uuid topicId) {
        return (VERSION + "\n" + TOPIC_ID + topicId).getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Reads the topic id.
     *
     * @param path for the message
     * @throws CorruptException if the content is not partition metadata
     */
    public static Uuid decode(byte[] content, Path path) {
        String[] lines = new String(content, StandardCharsets.UTF_8).strip().split("\n", -1);
        if (lines.length == 2 && lines[0].equals(VERSION) && lines[1].startsWith(TOPIC_ID)) {
            try {
                Uuid id = Uuid.fromString(lines[1].substring(TOPIC_ID.length()).strip());
                if (!id.equals(Uuid.ZERO_UUID)) return id;
            } catch (IllegalArgumentException notAnId) {
                throw new CorruptException(path + " holds no topic id", notAnId);
            }
        }
        throw new CorruptException(path + " is not partition metadata of version 0");
    }
}
