// SPDX-License-Identifier: Apache-2.0
package io.oxbow.base.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.function.Predicate;

/**
 * {@link StoreFile} over a {@link FileChannel}. Questions to the page cache go through a descriptor
 * of their own, opened at the first one, since the JDK does not show a channel's; it is closed when
 * many other files were asked about since.
 */
final class NativeStoreFile implements StoreFile, OpenFiles.Held {
    private final Path path;
    private final FileChannel channel;

    /** Where the channel's own position is; written by the one writer only. */
    private long channelPosition;

    /** Opened at the first question, on any thread; null until then. Guarded by {@code this}. */
    private PageCache pageCache;

    /** Set by each question, cleared by {@link #takeUsed}; racy on purpose, it is a hint. */
    private volatile boolean asked;

    /** Guarded by {@code this}. */
    private boolean closed;

    NativeStoreFile(Path path, FileChannel channel) {
        this.path = path;
        this.channel = channel;
    }

    @Override
    public Path path() {
        return path;
    }

    @Override
    public long size() {
        try {
            return channel.size();
        } catch (IOException failure) {
            throw DiskErrors.translate(path, "size of", failure);
        }
    }

    @Override
    public int read(ByteBuffer target, long position) {
        int total = 0;
        try {
            while (target.hasRemaining()) {
                int read = channel.read(target, position + total);
                if (read < 0) break;
                total += read;
            }
            return total;
        } catch (IOException failure) {
            throw DiskErrors.translate(path, "read", failure);
        }
    }

    @Override
    public void write(ByteBuffer source, long position) {
        try {
            long at = position;
            while (source.hasRemaining()) at += channel.write(source, at);
        } catch (IOException failure) {
            throw DiskErrors.translate(path, "write", failure);
        }
    }

    @Override
    public void write(ByteBuffer[] sources, int count, long position) {
        if (count == 1) {
            write(sources[0], position);
            return;
        }
        try {
            if (channelPosition != position) channel.position(position);
            channelPosition = -1; // Unknown, should a write fail half-way.
            long at = position;
            int first = 0;
            while (first < count) {
                at += channel.write(sources, first, count - first);
                while (first < count && !sources[first].hasRemaining()) first++;
            }
            channelPosition = at;
        } catch (IOException failure) {
            throw DiskErrors.translate(path, "write", failure);
        }
    }

    @Override
    public void sync() {
        try {
            force();
        } catch (IOException failure) {
            throw DiskErrors.translateSync(path, "sync", failure);
        }
    }

    /** {@link #sync} for bytes that are written anew if it fails. */
    void force() throws IOException {
        channel.force(false);
    }

    @Override
    public void truncate(long size) {
        try {
            channel.truncate(size);
            channelPosition = -1;
        } catch (IOException failure) {
            throw DiskErrors.translate(path, "truncate", failure);
        }
    }

    @Override
    public boolean cached(long position, long length) {
        return ask(cache -> cache.holds(position, length));
    }

    @Override
    public void prefetch(long position, long length) {
        ask(
                cache -> {
                    cache.prefetch(position, length);
                    return true;
                });
    }

    @Override
    public void evict(long position, long length) {
        ask(
                cache -> {
                    cache.evict(position, length);
                    return true;
                });
    }

    private boolean ask(Predicate<PageCache> question) {
        boolean opened = false;
        boolean answer;
        // The monitor keeps close() from pulling the descriptor away under a question; questions
        // are short and about cold files only.
        synchronized (this) {
            if (closed) return false;
            if (pageCache == null) {
                PageCache found = PageCache.of(path);
                // Not now (too many open files), or never: the next question finds out.
                if (found.equals(PageCache.UNKNOWN)) return false;
                pageCache = found;
                opened = true;
            }
            answer = question.test(pageCache);
        }
        if (!asked) asked = true;
        // Without the monitor: it takes another file's.
        if (opened) Descriptors.QUESTIONS.opened(this);
        return answer;
    }

    @Override
    public boolean takeUsed() {
        boolean was = asked;
        asked = false;
        return was;
    }

    /** Of the descriptor for questions alone. */
    @Override
    public synchronized void letGo() {
        if (pageCache != null) pageCache.close();
        pageCache = null;
    }

    @Override
    public FileChannel channel() {
        return channel;
    }

    @Override
    public void close() {
        Descriptors.QUESTIONS.closed(this);
        synchronized (this) {
            closed = true;
            letGo();
        }
        try {
            channel.close();
        } catch (IOException failure) {
            throw DiskErrors.translate(path, "close", failure);
        }
    }
}
