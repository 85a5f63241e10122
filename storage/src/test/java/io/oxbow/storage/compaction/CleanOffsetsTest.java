// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.compaction;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.oxbow.base.file.NativeFileSystem;
import java.nio.file.Path;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CleanOffsetsTest {
    private static final TopicPartition ID = new TopicPartition("t", 0);

    @TempDir Path directory;
    private CleanOffsets offsets;

    @BeforeEach
    void noteThatARunBegan() {
        offsets = new CleanOffsets(NativeFileSystem.INSTANCE, directory);
        assertEquals(Map.of(), offsets.current());
    }

    @Test
    void neverTakesForCleanWhatWasCutDuringTheRun() {
        offsets.cut(ID, 4);
        offsets.reached(ID, 10);
        assertEquals(Map.of(ID, 4L), offsets.current());
    }

    @Test
    void shouldForgetALogThatWasDeletedDuringItsRun() {
        offsets.reached(ID, 5);
        offsets.cut(ID, 0);
        offsets.reached(ID, 10);
        assertEquals(Map.of(), offsets.current());
        assertEquals(Map.of(), new CleanOffsets(NativeFileSystem.INSTANCE, directory).current());
    }

    @Test
    void shouldKeepWhatIsCleanBeforeACut() {
        offsets.reached(ID, 5);
        offsets.cut(ID, 20);
        offsets.reached(ID, 10);
        assertEquals(Map.of(ID, 10L), offsets.current());
    }
}
