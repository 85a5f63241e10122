// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.dir;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.oxbow.base.file.NativeFileSystem;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectoryInventoryTest {
    private static final NativeFileSystem DISK = NativeFileSystem.INSTANCE;

    @TempDir Path directory;

    @Test
    void shouldNamePartitionsWhoseFoldersHaveVanished() {
        TopicPartition here = new TopicPartition("here", 0);
        TopicPartition gone = new TopicPartition("gone", 1);
        TopicPartition empty = new TopicPartition("empty", 2);
        TopicPartition deleted = new TopicPartition("deleted", 3);
        DISK.createDirectories(directory.resolve("here-0"));
        DISK.createDirectories(
                directory.resolve(
                        LogFolderName.of(deleted, LogFolderName.Kind.DELETED, Uuid.randomUuid())));
        write(OffsetCheckpoint.RECOVERY_POINT, Map.of(here, 5L, gone, 5L, empty, 0L));
        write(OffsetCheckpoint.HIGH_WATERMARK, Map.of(here, 5L, deleted, 7L));
        DirectoryInventory inventory = DirectoryInventory.take(DISK, directory);
        assertEquals(List.of(here), inventory.logs());
        assertEquals(List.of(gone), inventory.vanished());
        assertEquals(Map.of(here, 5L), inventory.recoveryPoints());
    }

    private void write(String name, Map<TopicPartition, Long> offsets) {
        new OffsetCheckpoint(DISK, directory, name).write(offsets);
    }
}
