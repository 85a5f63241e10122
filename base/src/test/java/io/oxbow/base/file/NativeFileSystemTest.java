// SPDX-License-Identifier: Apache-2.0
package io.oxbow.base.file;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.oxbow.base.error.DiskException;
import io.oxbow.base.error.RetriableException;
import io.oxbow.base.file.FileSystem.Mode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeFileSystemTest {
    private final FileSystem files = NativeFileSystem.INSTANCE;

    @TempDir Path folder;

    @Test
    void shouldGatherSeveralBuffersIntoOnePlace() {
        try (StoreFile file = files.open(folder.resolve("a"), Mode.CREATE)) {
            file.write(buffers("one", "two", "three"), 3, 0);
            file.write(buffers("x", "y"), 2, 3);
            file.write(buffers("four", "five"), 2, 11);
            assertEquals("onexyothreefourfive", text(file));
        }
    }

    @Test
    void shouldReadShortAtTheEnd() {
        try (StoreFile file = files.open(folder.resolve("a"), Mode.CREATE)) {
            file.write(bytes("hello"), 0);
            ByteBuffer target = ByteBuffer.allocate(10);
            assertEquals(2, file.read(target, 3));
            assertEquals(0, file.read(ByteBuffer.allocate(4), 5));
        }
    }

    @Test
    void shouldReplaceASmallFileAndLeaveNoTemporary() {
        Path path = folder.resolve("checkpoint");
        files.writeAtomically(path, new byte[] {1});
        files.writeAtomically(path, new byte[] {2, 3});
        assertArrayEquals(new byte[] {2, 3}, files.readAll(path));
        assertEquals(1, files.list(folder).size());
    }

    @Test
    void shouldNameThePathAndKindOfAMissingFile() {
        Path path = folder.resolve("nothing");
        DiskException failure =
                assertThrows(DiskException.class, () -> files.open(path, Mode.READ));
        assertEquals(DiskException.Kind.MISSING, failure.kind());
        assertEquals(path, failure.path());
        assertTrue(failure.getMessage().contains(path.toString()));
    }

    @Test
    void shouldRefuseASecondLockAndGiveItAfterClose() {
        FileSystem.DirectoryLock first = files.lock(folder);
        RetriableException held = assertThrows(RetriableException.class, () -> files.lock(folder));
        assertTrue(held.getMessage().contains(folder.toString()));
        first.close();
        files.lock(folder).close();
    }

    @Test
    void shouldDeleteTreesAndNotMindTheirAbsence() {
        files.createDirectories(folder.resolve("a/b/c"));
        files.writeAtomically(folder.resolve("a/b/f"), new byte[0]);
        files.deleteTree(folder.resolve("a"));
        files.deleteTree(folder.resolve("a"));
        assertFalse(files.exists(folder.resolve("a")));
    }

    @Test
    void shouldSortErrorsByWhatTheSystemSaid() {
        assertEquals(DiskException.Kind.FULL, kindOf("No space left on device"));
        assertEquals(DiskException.Kind.FULL, kindOf("Disk quota exceeded"));
        assertEquals(DiskException.Kind.DENIED, kindOf("Read-only file system"));
        assertEquals(DiskException.Kind.FAILED, kindOf("Input/output error"));
        assertEquals(DiskException.Kind.FAILED, kindOf(null));
        assertEquals(DiskException.Kind.DENIED, DiskErrors.kindOf(new AccessDeniedException("/x")));
    }

    @Test
    void shouldKnowFreshlyWrittenBytesAsCached() {
        Assumptions.assumeTrue(LinuxPageCache.AVAILABLE, "needs Linux with native access");
        try (StoreFile file = files.open(folder.resolve("a"), Mode.CREATE)) {
            file.write(ByteBuffer.allocate(100_000), 0);
            assertTrue(file.cached(10, 90_000));
            assertFalse(file.cached(0, 1_000_000), "beyond the end nothing is cached");
            file.sync();
            file.evict(0, 100_000);
            file.prefetch(0, 100_000);
        }
    }

    @Test
    void shouldKeepFewDescriptorsOpenForQuestions() throws IOException {
        Assumptions.assumeTrue(LinuxPageCache.AVAILABLE, "needs Linux with native access");
        int count = Descriptors.FEW + 50;
        List<StoreFile> open = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            StoreFile file = files.open(folder.resolve("f" + i), Mode.CREATE);
            file.write(bytes("x"), 0);
            open.add(file);
        }
        // Each twice: the second time the first ones ask anew.
        for (int i = 0; i < 2 * count; i++) assertTrue(open.get(i % count).cached(0, 1));
        assertEquals(count + Descriptors.FEW, descriptorsIn(folder));
        open.forEach(StoreFile::close);
        assertEquals(0, descriptorsIn(folder));
    }

    private static long descriptorsIn(Path folder) throws IOException {
        try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            return all.filter(descriptor -> isIn(folder, descriptor)).count();
        }
    }

    private static boolean isIn(Path folder, Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).startsWith(folder);
        } catch (IOException closed) {
            return false;
        }
    }

    @Test
    void shouldTellTheRoomOfAVolume() {
        FileSystem.Space space = files.space(folder);
        assertTrue(space.totalBytes() > 0 && space.usableBytes() <= space.totalBytes());
        assertThrows(DiskException.class, () -> files.space(folder.resolve("no/such")));
    }

    private static DiskException.Kind kindOf(String message) {
        return DiskErrors.kindOf(new IOException(message));
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static ByteBuffer[] buffers(String... texts) {
        ByteBuffer[] all = new ByteBuffer[texts.length];
        for (int i = 0; i < texts.length; i++) all[i] = bytes(texts[i]);
        return all;
    }

    private static String text(StoreFile file) {
        ByteBuffer target = ByteBuffer.allocate((int) file.size());
        file.read(target, 0);
        return new String(target.array(), StandardCharsets.US_ASCII);
    }
}
