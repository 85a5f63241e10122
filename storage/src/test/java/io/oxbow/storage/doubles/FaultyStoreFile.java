// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.doubles;

import io.oxbow.base.error.DiskException;
import io.oxbow.base.error.DiskException.Kind;
import io.oxbow.base.file.StoreFile;
import io.oxbow.storage.doubles.FaultyFileSystem.Operation;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/** A file of a {@link FaultyFileSystem}. */
final class FaultyStoreFile implements StoreFile {
    private final FaultyFileSystem system;
    private final Path path;
    private final StoreFile real;

    FaultyStoreFile(FaultyFileSystem system, Path path, StoreFile real) {
        this.system = system;
        this.path = path;
        this.real = real;
    }

    @Override
    public Path path() {
        return path;
    }

    @Override
    public long size() {
        system.before(Operation.ASK, path);
        return real.size();
    }

    @Override
    public int read(ByteBuffer target, long position) {
        system.before(Operation.READ, path);
        int read = real.read(target, position);
        system.hasRead(path, read);
        return read;
    }

    @Override
    public void write(ByteBuffer source, long position) {
        system.before(Operation.WRITE, path);
        writeWhatFits(source, position);
    }

    @Override
    public void write(ByteBuffer[] sources, int count, long position) {
        system.before(Operation.WRITE, path);
        long at = position;
        for (int i = 0; i < count; i++) {
            long bytes = sources[i].remaining();
            writeWhatFits(sources[i], at);
            at += bytes;
        }
    }

    @Override
    public void sync() {
        system.before(Operation.SYNC, path);
        real.sync();
    }

    @Override
    public void truncate(long size) {
        system.before(Operation.TRUNCATE, path);
        real.truncate(size);
        FaultyVolume volume = system.volume(path);
        if (volume != null) volume.truncated(path, real.size());
    }

    @Override
    public boolean cached(long position, long length) {
        return real.cached(position, length);
    }

    @Override
    public void prefetch(long position, long length) {
        real.prefetch(position, length);
    }

    @Override
    public void evict(long position, long length) {
        real.evict(position, length);
    }

    @Override
    public FileChannel channel() {
        return real.channel();
    }

    @Override
    public void close() {
        real.close();
    }

    private void writeWhatFits(ByteBuffer source, long position) {
        FaultyVolume volume = system.volume(path);
        int wanted = source.remaining();
        int fits = volume == null ? wanted : (int) volume.fit(path, position, wanted);
        if (fits == wanted) {
            real.write(source, position);
            return;
        }
        ByteBuffer part = source.slice(source.position(), fits);
        real.write(part, position);
        throw new DiskException(Kind.FULL, path, "write", null);
    }
}
