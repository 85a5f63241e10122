// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.dir;

import io.oxbow.base.error.CorruptException;
import io.oxbow.base.error.DiskException;
import io.oxbow.base.file.FileSystem;
import java.nio.file.Path;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One checkpoint file of a log directory. A damaged or missing one costs a rebuild, never the start
 * (spec 10 A6): it reads as empty and says so. Owned by the directory's lane.
 */
public final class OffsetCheckpoint {
    /** Up to where each log is durable. */
    public static final String RECOVERY_POINT = "recovery-point-offset-checkpoint";

    /** First offset of each log that has one beyond its first segment's. */
    public static final String LOG_START = "log-start-offset-checkpoint";

    /** High watermark of each log. */
    public static final String HIGH_WATERMARK = "replication-offset-checkpoint";

    /** Up to where each compacted log is clean. */
    public static final String CLEANER = "cleaner-offset-checkpoint";

    private static final Logger log = LoggerFactory.getLogger(OffsetCheckpoint.class);

    private final FileSystem files;
    private final Path file;

    public OffsetCheckpoint(FileSystem files, Path directory, String name) {
        this.files = files;
        this.file = directory.resolve(name);
    }

    /** The offsets; empty if there is no file or it is damaged. */
    public Map<TopicPartition, Long> read() {
        byte[] content;
        try {
            content = files.readAll(file);
        } catch (DiskException failure) {
            if (failure.kind() == DiskException.Kind.MISSING) return Map.of();
            throw failure;
        }
        // Kafka makes the file empty and fills it when the first log has been cleaned.
        if (content.length == 0 && file.endsWith(CLEANER)) return Map.of();
        try {
            return OffsetCheckpointFormat.parse(content);
        } catch (CorruptException damaged) {
            log.warn(
                    "{} is damaged and will be rebuilt: {}; the logs of its directory may take"
                            + " longer to recover (or to compact)",
                    file,
                    damaged.getMessage());
            return Map.of();
        }
    }

    /** Replaces the file atomically. */
    public void write(Map<TopicPartition, Long> offsets) {
        files.writeAtomically(file, OffsetCheckpointFormat.render(offsets));
    }
}
