// SPDX-License-Identifier: Apache-2.0
package io.oxbow.benchmarks.frame;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The memory that the page cache takes its pages from. On a virtual machine a page that has been
 * free for a while may have been given back to the host, and the next write to it costs several
 * times what the write itself does. So a trial begins with pages that were in use just before.
 */
final class PageCachePool {

    private static final int CHUNK_BYTES = 1 << 20;

    /** Of the room on the disk; the brokers need some. */
    private static final long SHARE = 4;

    private PageCachePool() {}

    /** Writes a file of {@code bytes}, or what room there is for, and deletes it. */
    static void touch(Path dir, long bytes) {
        Path scratch = dir.resolve("oxbow-bench-scratch-" + ProcessHandle.current().pid());
        try (FileChannel file =
                FileChannel.open(
                        scratch,
                        StandardOpenOption.CREATE_NEW,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.DELETE_ON_CLOSE)) {
            long most = Math.min(bytes, Files.getFileStore(dir).getUsableSpace() / SHARE);
            ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK_BYTES);
            for (long written = 0; written < most; written += file.write(chunk.rewind())) {}
        } catch (IOException e) {
            throw new UncheckedIOException("--data: cannot write " + scratch, e);
        }
    }
}
