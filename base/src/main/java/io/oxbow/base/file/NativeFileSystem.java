// SPDX-License-Identifier: Apache-2.0
package io.oxbow.base.file;

import io.oxbow.base.error.DiskException;
import io.oxbow.base.error.DiskException.Kind;
import io.oxbow.base.error.RetriableException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The machine's own file system. Stateless; any thread. */
public enum NativeFileSystem implements FileSystem {
    INSTANCE;

    private static final Set<OpenOption> WRITE =
            Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE);
    private static final Set<OpenOption> CREATE =
            Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
    private static final Set<OpenOption> REPLACE =
            Set.of(
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.TRUNCATE_EXISTING);

    /** Links the system calls that a first look at the page cache links else. Any thread. */
    public static void preload() {
        try (PageCache cache = PageCache.of(Path.of("/dev/null"))) {
            boolean ignored = cache.holds(0, 1);
        }
    }

    @Override
    public NativeStoreFile open(Path path, Mode mode) {
        Set<OpenOption> options =
                switch (mode) {
                    case READ -> Set.of(StandardOpenOption.READ);
                    case WRITE -> WRITE;
                    case CREATE -> CREATE;
                    case REPLACE -> REPLACE;
                };
        return attempt(
                path, "open", () -> new NativeStoreFile(path, FileChannel.open(path, options)));
    }

    @Override
    public OpenFiles openFiles(Need need) {
        return switch (need) {
            case STEADY -> Descriptors.STEADY;
            case PASSING -> Descriptors.PASSING;
        };
    }

    @Override
    public boolean exists(Path path) {
        return Files.exists(path, LinkOption.NOFOLLOW_LINKS);
    }

    @Override
    public boolean isDirectory(Path path) {
        return Files.isDirectory(path);
    }

    @Override
    public List<Path> list(Path directory) {
        return attempt(
                directory,
                "list",
                () -> {
                    List<Path> entries = new ArrayList<>();
                    try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
                        stream.forEach(entries::add);
                        return entries;
                    } catch (DirectoryIteratorException failure) {
                        throw failure.getCause();
                    }
                });
    }

    @Override
    public void createDirectories(Path directory) {
        run(directory, "create directory", () -> Files.createDirectories(directory));
    }

    @Override
    public void rename(Path from, Path to) {
        run(
                from,
                "rename to " + to.getFileName(),
                () ->
                        Files.move(
                                from,
                                to,
                                StandardCopyOption.ATOMIC_MOVE,
                                StandardCopyOption.REPLACE_EXISTING));
    }

    @Override
    public void delete(Path path) {
        run(path, "delete", () -> Files.deleteIfExists(path));
    }

    @Override
    public void deleteTree(Path directory) {
        if (!exists(directory)) return;
        run(directory, "delete", () -> Files.walkFileTree(directory, new Deletion()));
    }

    @Override
    public void syncDirectory(Path directory) {
        run(
                directory,
                "sync directory",
                () -> {
                    try (FileChannel channel = FileChannel.open(directory)) {
                        force(directory, channel);
                    }
                });
    }

    private static void force(Path directory, FileChannel channel) {
        try {
            channel.force(true);
        } catch (IOException failure) {
            throw DiskErrors.translateSync(directory, "sync directory", failure);
        }
    }

    @Override
    public long size(Path path) {
        try {
            return Files.size(path);
        } catch (IOException failure) {
            throw DiskErrors.translate(path, "size of", failure);
        }
    }

    @Override
    public long lastModifiedMs(Path path) {
        try {
            return Files.getLastModifiedTime(path).toMillis();
        } catch (IOException failure) {
            throw DiskErrors.translate(path, "time of", failure);
        }
    }

    @Override
    public void setLastModifiedMs(Path path, long wallMs) {
        run(
                path,
                "set time of",
                () -> Files.setLastModifiedTime(path, FileTime.fromMillis(wallMs)));
    }

    @Override
    public Space space(Path path) {
        // statvfs; Files.getFileStore would parse the mount table at each call.
        long total = path.toFile().getTotalSpace();
        if (total == 0 && !exists(path))
            throw new DiskException(Kind.MISSING, path, "space of", null);
        return new Space(total, path.toFile().getUsableSpace());
    }

    @Override
    public byte[] readAll(Path path) {
        return attempt(path, "read", () -> Files.readAllBytes(path));
    }

    @Override
    public void writeAtomically(Path path, byte[] content) {
        Path beside = beside(path);
        try (NativeStoreFile file = open(beside, Mode.REPLACE)) {
            file.write(ByteBuffer.wrap(content), 0);
            file.force();
        } catch (IOException failure) {
            // Nothing is lost: the old content is still in place.
            throw DiskErrors.translate(beside, "sync", failure);
        }
        rename(beside, path);
        syncDirectory(path.toAbsolutePath().getParent());
    }

    @Override
    public void replace(Path path, byte[] content) {
        Path beside = beside(path);
        try (StoreFile file = open(beside, Mode.REPLACE)) {
            file.write(ByteBuffer.wrap(content), 0);
        }
        rename(beside, path);
    }

    private static Path beside(Path path) {
        return path.resolveSibling(path.getFileName() + ".tmp");
    }

    @Override
    public DirectoryLock lock(Path directory) {
        return attempt(directory, "lock", () -> lockFile(directory.resolve(".lock")));
    }

    private static DirectoryLock lockFile(Path path) throws IOException {
        FileChannel channel = FileChannel.open(path, CREATE);
        FileLock lock;
        try {
            lock = channel.tryLock();
        } catch (OverlappingFileLockException heldByThisProcess) {
            lock = null;
        }
        if (lock == null) {
            channel.close();
            throw new RetriableException(
                    path.getParent()
                            + " is used by another process, which holds "
                            + path
                            + "; stop that process first");
        }
        return () -> run(path, "unlock", channel::close);
    }

    private interface Operation {
        void run() throws IOException;
    }

    private interface Attempt<T> {
        T run() throws IOException;
    }

    private static void run(Path path, String operation, Operation body) {
        attempt(
                path,
                operation,
                () -> {
                    body.run();
                    return null;
                });
    }

    /** Tries once more if no descriptor was left and some could be made free. */
    private static <T> T attempt(Path path, String operation, Attempt<T> body) {
        try {
            return body.run();
        } catch (IOException failure) {
            boolean again =
                    DiskErrors.kindOf(failure) == Kind.TOO_MANY_OPEN && Descriptors.makeRoom();
            if (!again) throw DiskErrors.translate(path, operation, failure);
        }
        try {
            return body.run();
        } catch (IOException failure) {
            throw DiskErrors.translate(path, operation, failure);
        }
    }

    /** Deletes bottom-up; what is gone already is fine. */
    private static final class Deletion extends SimpleFileVisitor<Path> {
        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
            if (failure instanceof NoSuchFileException) return FileVisitResult.CONTINUE;
            throw failure;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path directory, IOException failure)
                throws IOException {
            if (failure != null) throw failure;
            Files.deleteIfExists(directory);
            return FileVisitResult.CONTINUE;
        }
    }
}
