// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.oxbow.base.file.FileSystem;
import io.oxbow.base.file.NativeFileSystem;
import io.oxbow.storage.doubles.FaultyFileSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IndexEntriesTest {
    private static final FileSystem.Need PASSING = FileSystem.Need.PASSING;
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
                new SharedFile(NativeFileSystem.INSTANCE, path, FileSystem.Mode.CREATE, PASSING),
                IndexEntries.Stored.inFile(count));
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
    void shouldFindEntriesOfBatchesOfAllSizes() {
        Random random = new Random(7);
        NavigableMap<Long, Long> positions = new TreeMap<>();
        positions.put(0L, 0L);
        long position = 0;
        long offset = 100;
        for (int i = 0; i < MANY; i++) {
            // Long runs of small batches, then of large ones: nothing lies where it is guessed.
            position += 1 + random.nextInt(i / 3_000 % 2 == 0 ? 10 : 5_000);
            offset += 1 + random.nextInt(i / 2_000 % 2 == 0 ? 3 : 900);
            index.append(offset, position);
            positions.put(position, position);
        }
        for (int i = 0; i < 20_000; i++) {
            long asked = (long) (random.nextDouble() * position * 1.01);
            assertEquals(positions.floorKey(asked), index.floorByPosition(asked, true));
        }
    }

    @Test
    void shouldReadTheFileOnceOrTwiceForALookUp() {
        FaultyFileSystem files = new FaultyFileSystem(NativeFileSystem.INSTANCE);
        SharedFile file = new SharedFile(files, path, FileSystem.Mode.CREATE, PASSING);
        index = new OffsetIndex(100, file, IndexEntries.Stored.NONE);
        fill(MANY);
        int before = files.count(FaultyFileSystem.Operation.READ);
        int lookUps = 0;
        for (int i = 1; i <= IndexEntries.MAX_TAIL_ENTRIES * 2; i += 97, lookUps++) {
            assertEquals(i * 10L, index.floorByPosition(i * 10L + 3, true));
        }
        int reads = files.count(FaultyFileSystem.Operation.READ) - before;
        assertTrue(reads <= 2 * lookUps, reads + " reads for " + lookUps + " look-ups");
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
