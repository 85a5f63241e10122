// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.oxbow.base.file.FileSystem;
import io.oxbow.base.file.NativeFileSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IndexEntriesTest {
    private static final int MANY = IndexEntries.MAX_TAIL_ENTRIES * 3 + 17;

    @TempDir Path folder;
    private Path path;
    private OffsetIndex index;

    @BeforeEach
    void makeIndex() {
        path = folder.resolve("0.index");
        index = open(0);
    }

    private OffsetIndex open(int count) {
        return new OffsetIndex(
                100,
                new SharedFile(NativeFileSystem.INSTANCE, path, FileSystem.Mode.CREATE),
                count);
    }

    private void fill(int count) {
        for (int i = 1; i <= count; i++) index.append(100 + i * 2L, i * 10L);
    }

    @Test
    void shouldFindEntriesInMemoryAndInTheFile() throws IOException {
        fill(MANY);
        assertTrue(Files.size(path) > 0, "some entries have left memory");
        for (int i = 1; i <= MANY; i += 101) {
            assertEquals(i * 10L, index.floorPosition(100 + i * 2L, true));
            assertEquals(i * 10L, index.floorPosition(100 + i * 2L + 1, true));
            assertEquals((i - 1) * 10L, index.floorPosition(100 + i * 2L - 1, true));
            assertEquals(i * 10L, index.floorByPosition(i * 10L + 9, true));
        }
        assertEquals(MANY * 10L, index.lastPosition());
        assertEquals(100 + MANY * 2L, index.lastOffset());
    }

    @Test
    void shouldSaveEveryEntryOnce() throws IOException {
        fill(MANY);
        index.entries().save();
        assertEquals(MANY * 8L, Files.size(path));
        OffsetIndex again = open(MANY);
        for (int i = 1; i <= MANY; i += 97) {
            assertEquals(i * 10L, again.floorPosition(100 + i * 2L, true));
        }
    }

    @Test
    void shouldCutEntriesWhereverTheyAre() throws IOException {
        for (int keep : new int[] {MANY - 3, IndexEntries.MAX_TAIL_ENTRIES, 5, 1, 0}) {
            Files.deleteIfExists(path);
            index = open(0);
            fill(MANY);
            index.truncateTo(100 + keep * 2L + 1);
            assertEquals(keep, index.entries().count());
            assertEquals(keep * 10L, index.floorPosition(Long.MAX_VALUE, true));
            for (int i = keep + 1; i <= keep + 20; i++) index.append(100 + i * 2L, i * 10L);
            index.entries().save();
            assertEquals((keep + 20) * 8L, Files.size(path));
            assertEquals((keep + 20) * 10L, open(keep + 20).lastPosition());
        }
    }

    @Test
    void shouldNotBlockUnlessAllowed() {
        fill(MANY);
        index.entries().save();
        OffsetIndex closed = open(MANY);
        assertEquals(OffsetIndex.WOULD_BLOCK, closed.floorPosition(200, false));
        assertEquals(500, closed.floorPosition(200, true));
    }
}
