// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.log;

import io.oxbow.base.error.DiskException;
import io.oxbow.base.error.DiskException.Kind;
import io.oxbow.base.file.FileSystem;
import io.oxbow.base.file.StoreFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.List;

/** Wraps a file system; writes beyond a number of bytes fail, part of them written. */
final class FaultyFileSystem implements FileSystem {
    private final FileSystem inner;

    /** Bytes that may still be written. */
    long roomBytes = Long.MAX_VALUE;

    /** Files opened so far, to see what is lazy. */
    int opened;

    FaultyFileSystem(FileSystem inner) {
        this.inner = inner;
    }

    private void need(Path path, long bytes) {
        if (bytes > roomBytes) throw new DiskException(Kind.FULL, path, "write", null);
        roomBytes -= bytes;
    }

    @Override
    public StoreFile open(Path path, Mode mode) {
        opened++;
        return new FaultyFile(inner.open(path, mode));
    }

    private final class FaultyFile implements StoreFile {
        private final StoreFile file;

        FaultyFile(StoreFile file) {
            this.file = file;
        }

        @Override
        public void write(ByteBuffer source, long position) {
            if (source.remaining() > roomBytes) tear(source, position);
            need(path(), source.remaining());
            file.write(source, position);
        }

        private void tear(ByteBuffer source, long position) {
            ByteBuffer part = source.duplicate();
            part.limit(part.position() + (int) roomBytes);
            roomBytes = 0;
            file.write(part, position);
        }

        @Override
        public void write(ByteBuffer[] sources, int count, long position) {
            long at = position;
            for (int i = 0; i < count; i++) {
                int size = sources[i].remaining();
                write(sources[i], at);
                at += size;
            }
        }

        @Override
        public Path path() {
            return file.path();
        }

        @Override
        public long size() {
            return file.size();
        }

        @Override
        public int read(ByteBuffer target, long position) {
            return file.read(target, position);
        }

        @Override
        public void sync() {
            file.sync();
        }

        @Override
        public void truncate(long size) {
            file.truncate(size);
        }

        @Override
        public boolean cached(long position, long length) {
            return file.cached(position, length);
        }

        @Override
        public void prefetch(long position, long length) {
            file.prefetch(position, length);
        }

        @Override
        public void evict(long position, long length) {
            file.evict(position, length);
        }

        @Override
        public FileChannel channel() {
            return file.channel();
        }

        @Override
        public void close() {
            file.close();
        }
    }

    @Override
    public void writeAtomically(Path path, byte[] content) {
        need(path, content.length);
        inner.writeAtomically(path, content);
    }

    @Override
    public boolean exists(Path path) {
        return inner.exists(path);
    }

    @Override
    public boolean isDirectory(Path path) {
        return inner.isDirectory(path);
    }

    @Override
    public List<Path> list(Path directory) {
        return inner.list(directory);
    }

    @Override
    public void createDirectories(Path directory) {
        inner.createDirectories(directory);
    }

    @Override
    public void rename(Path from, Path to) {
        inner.rename(from, to);
    }

    @Override
    public void delete(Path path) {
        inner.delete(path);
    }

    @Override
    public void deleteTree(Path directory) {
        inner.deleteTree(directory);
    }

    @Override
    public void syncDirectory(Path directory) {
        inner.syncDirectory(directory);
    }

    @Override
    public long size(Path path) {
        return inner.size(path);
    }

    @Override
    public long lastModifiedMs(Path path) {
        return inner.lastModifiedMs(path);
    }

    @Override
    public void setLastModifiedMs(Path path, long wallMs) {
        inner.setLastModifiedMs(path, wallMs);
    }

    @Override
    public Space space(Path path) {
        return inner.space(path);
    }

    @Override
    public byte[] readAll(Path path) {
        return inner.readAll(path);
    }

    @Override
    public DirectoryLock lock(Path directory) {
        return inner.lock(directory);
    }
}
