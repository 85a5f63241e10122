// SPDX-License-Identifier: Apache-2.0
package io.oxbow.base.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/**
 * {@link StoreFile} over a {@link FileChannel}. Questions to the page cache go through a descriptor
 * of their own, opened at the first one, since the JDK does not show a channel's; {@link
 * PageCacheLimit} bounds how many of them stay open.
 */
final class NativeStoreFile implements StoreFile {
    private static final PageCacheLimit LIMIT = new PageCacheLimit(PageCacheLimit.DESCRIPTORS);

    private final Path path;
    private final FileChannel channel;

    /** Where the channel's own position is; written by the one writer only. */
    private long channelPosition;

    /** Opened at the first question, on any thread; null until then. Guarded by {@code this}. */
    private PageCache pageCache;

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
        boolean held;
        // The lock keeps close() from pulling the descriptor away under a question; questions are
        // short and about cold files only.
        synchronized (this) {
            held = pageCache().holds(position, length);
        }
        LIMIT.asked(this);
        return held;
    }

    @Override
    public void prefetch(long position, long length) {
        synchronized (this) {
            pageCache().prefetch(position, length);
        }
        LIMIT.asked(this);
    }

    @Override
    public void evict(long position, long length) {
        synchronized (this) {
            pageCache().evict(position, length);
        }
        LIMIT.asked(this);
    }

    @Override
    public FileChannel channel() {
        return channel;
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            closePageCache();
        }
        LIMIT.closed(this);
        try {
            channel.close();
        } catch (IOException failure) {
            throw DiskErrors.translate(path, "close", failure);
        }
    }

    /** Gives the second descriptor up until the next question. */
    synchronized void closePageCache() {
        if (pageCache != null) pageCache.close();
        pageCache = null;
    }

    private PageCache pageCache() {
        if (closed) return PageCache.UNKNOWN;
        if (pageCache == null) pageCache = PageCache.of(path);
        return pageCache;
    }
}
