// SPDX-License-Identifier: Apache-2.0
package io.oxbow.base.file;

import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/**
 * An open file, addressed by position; it has no position of its own. Reads may come from any
 * thread, writes from one. Failures are {@link io.oxbow.base.error.DiskException}s.
 */
public interface StoreFile extends AutoCloseable {

    Path path();

    /** Size in bytes now. */
    long size();

    /**
     * Reads until {@code target} is full or the file ends; returns the bytes read (0 at the end).
     */
    int read(ByteBuffer target, long position);

    /** Writes all that remains in {@code source} at {@code position}. */
    void write(ByteBuffer source, long position);

    /**
     * Writes all that remains in {@code sources[0..count)} one after the other at {@code position},
     * by as few system calls as the platform allows.
     */
    void write(ByteBuffer[] sources, int count, long position);

    /**
     * Makes the content durable (fdatasync). A failure is final: what was written may be lost, and
     * a second sync that succeeds proves nothing. Lack of room is {@code UNSYNCED}, never {@code
     * FULL}.
     */
    void sync();

    void truncate(long size);

    /**
     * Whether the range would be read without waiting for the disk, as far as can be told: true
     * only if all of it is in the page cache. Never blocks.
     */
    boolean cached(long position, long length);

    /** Asks the kernel to bring the range in (read-ahead); returns at once. */
    void prefetch(long position, long length);

    /** Tells the kernel that the range will not be needed soon. */
    void evict(long position, long length);

    /** The channel, for zero-copy sends only. Valid until closed. */
    FileChannel channel();

    @Override
    void close();
}
