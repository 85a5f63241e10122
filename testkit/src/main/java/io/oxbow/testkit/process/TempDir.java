// SPDX-License-Identifier: Apache-2.0
package io.oxbow.testkit.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/** A directory of its own for one test, deleted with all that is in it when closed. */
public record TempDir(Path path) implements AutoCloseable {

    /** Makes a new directory whose name starts with {@code prefix}. */
    public static TempDir create(String prefix) {
        try {
            return new TempDir(Files.createTempDirectory("oxbow-" + prefix + "-").toRealPath());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * As {@link #create}, in memory where the system has a file system of at least {@code bytes}
     * for that: for tests whose measurements the machine's disk must not disturb.
     */
    public static TempDir inMemory(String prefix, long bytes) {
        Path memory = Path.of("/dev/shm");
        try {
            if (Files.isWritable(memory) && Files.getFileStore(memory).getUsableSpace() >= bytes) {
                return new TempDir(Files.createTempDirectory(memory, "oxbow-" + prefix + "-"));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return create(prefix);
    }

    @Override
    public void close() {
        deleteTree(path);
    }

    /** Deletes a directory and everything in it; a file that goes meanwhile is no error. */
    public static void deleteTree(Path directory) {
        try {
            Files.walkFileTree(directory, new Deleter());
        } catch (NoSuchFileException gone) {
            // Nothing to delete.
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static final class Deleter extends SimpleFileVisitor<Path> {
        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (e instanceof NoSuchFileException) {
                return FileVisitResult.CONTINUE;
            }
            throw e;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path directory, IOException e)
                throws IOException {
            Files.deleteIfExists(directory);
            return FileVisitResult.CONTINUE;
        }
    }
}
