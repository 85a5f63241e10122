// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.dir;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;

/**
 * Names of the folders in a log directory:
 *
 * <pre>
 * TOPIC-PARTITION                   a log
 * TOPIC-PARTITION.HEX-delete        deleted, files go later
 * TOPIC-PARTITION.HEX-future        being moved here from another directory
 * TOPIC-PARTITION.HEX-stray         set aside: the metadata does not know it
 * </pre>
 *
 * HEX is a uuid of 32 hexadecimal digits. A name may have 255 bytes at most, so with a suffix the
 * topic is cut at its end as far as needed; such a folder tells its topic by {@code
 * partition.metadata}.
 *
 * @param kind what the folder is
 * @param partition of which log; null for {@link Kind#OTHER}; its topic may be cut unless the kind
 *     is {@link Kind#LOG}
 */
public record LogFolderName(Kind kind, TopicPartition partition) {

    /** What a folder of a log directory is. */
    public enum Kind {
        LOG(""),
        DELETED("-delete"),
        FUTURE("-future"),
        STRAY("-stray"),
        /** Not a log's. */
        OTHER("");

        private final String suffix;

        Kind(String suffix) {
            this.suffix = suffix;
        }
    }

    private static final int MAX_BYTES = 255;
    private static final Pattern SUFFIXED =
            Pattern.compile("(?<log>.+)\\.[0-9a-fA-F]{32}(?<suffix>-delete|-future|-stray)");
    private static final Pattern LOG =
            Pattern.compile("(?<topic>[a-zA-Z0-9._-]{1,249})-(?<partition>\\d{1,9})");

    /** What a folder is, by its name. */
    public static LogFolderName parse(String name) {
        Matcher suffixed = SUFFIXED.matcher(name);
        if (suffixed.matches()) {
            TopicPartition partition = partition(suffixed.group("log"));
            if (partition != null) {
                return new LogFolderName(kind(suffixed.group("suffix")), partition);
            }
        }
        TopicPartition partition = partition(name);
        return partition == null
                ? new LogFolderName(Kind.OTHER, null)
                : new LogFolderName(Kind.LOG, partition);
    }

    /** Name of a partition's log. */
    public static String of(TopicPartition partition) {
        return partition.topic() + "-" + partition.partition();
    }

    /**
     * Name of a partition's folder of this kind.
     *
     * @param unique tells apart several of one partition
     */
    public static String of(TopicPartition partition, Kind kind, Uuid unique) {
        String end = "-" + partition.partition() + "." + hex(unique) + kind.suffix;
        // Topic names are ASCII: a character is a byte.
        int topicLength = Math.min(partition.topic().length(), MAX_BYTES - end.length());
        return partition.topic().substring(0, topicLength) + end;
    }

    private static String hex(Uuid id) {
        return String.format(
                "%016x%016x", id.getMostSignificantBits(), id.getLeastSignificantBits());
    }

    private static Kind kind(String suffix) {
        for (Kind kind : Kind.values()) if (kind.suffix.equals(suffix)) return kind;
        return Kind.OTHER;
    }

    private static TopicPartition partition(String name) {
        Matcher found = LOG.matcher(name);
        if (!found.matches()) return null;
        return new TopicPartition(found.group("topic"), Integer.parseInt(found.group("partition")));
    }
}
