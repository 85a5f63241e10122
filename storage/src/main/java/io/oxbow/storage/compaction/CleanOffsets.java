// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.compaction;

import io.oxbow.base.file.FileSystem;
import io.oxbow.storage.dir.OffsetCheckpoint;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.TopicPartition;

/**
 * Up to where each log of a directory is clean: {@code cleaner-offset-checkpoint}, in Kafka's
 * format. An offset that is too low costs a longer run, one that is too high leaves duplicates, so
 * cuts are noted before anything else. Used by the compactor's thread, save {@link #cut}.
 */
final class CleanOffsets {
    private final OffsetCheckpoint file;

    // Concurrent map: filled by lanes, emptied by the compactor.
    private final ConcurrentHashMap<TopicPartition, Long> cuts = new ConcurrentHashMap<>();

    /** Null until read. */
    private Map<TopicPartition, Long> offsets;

    CleanOffsets(FileSystem files, Path directory) {
        file = new OffsetCheckpoint(files, directory, OffsetCheckpoint.CLEANER);
    }

    /** The log was cut at {@code offset}; 0: it is gone. Any thread. */
    void cut(TopicPartition partition, long offset) {
        cuts.merge(partition, offset, Math::min);
    }

    Map<TopicPartition, Long> current() {
        if (offsets == null) offsets = new HashMap<>(file.read());
        boolean changed = false;
        for (TopicPartition partition : cuts.keySet()) {
            Long cut = cuts.remove(partition);
            Long known = offsets.get(partition);
            if (cut == null || known == null || known <= cut) continue;
            if (cut == 0) offsets.remove(partition);
            else offsets.put(partition, cut);
            changed = true;
        }
        if (changed) file.write(offsets);
        return offsets;
    }

    /** A run has ended; of a log that was cut since it began no more is clean than was left. */
    void reached(TopicPartition partition, long offset) {
        Long cut = cuts.remove(partition);
        current();
        if (cut != null && cut == 0) offsets.remove(partition);
        else offsets.put(partition, cut == null ? offset : Math.min(cut, offset));
        file.write(offsets);
    }
}
