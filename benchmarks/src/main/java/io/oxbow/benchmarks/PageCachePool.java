// SPDX-License-Identifier: Apache-2.0
package io.oxbow.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The memory that the page cache takes its pages from. On a virtual machine, pages that nobody has
 * used yet are given by the host at the first write, which costs the writer several times what the
 * write itself does: whoever comes first would pay for both brokers.
 */
final class PageCachePool {

    private static final int CHUNK_BYTES = 1 << 20;
    private static final long MOST_BYTES = 6L << 30;
    private static final long LEFT_ON_DISK = 4;

    private PageCachePool() {}

    /**
     * Writes a file of 6 GiB, or of a quarter of the room in {@code dir} or in memory; deletes it.
     */
    static void touch(Path dir) {
        Path scratch = dir.resolve("oxbow-bench-scratch-" + ProcessHandle.current().pid());
        try (FileChannel file =
                FileChannel.open(
                        scratch,
                        StandardOpenOption.CREATE_NEW,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.DELETE_ON_CLOSE)) {
            long bytes = Math.min(MOST_BYTES, room(dir) / LEFT_ON_DISK);
            ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK_BYTES);
            for (long written = 0; written < bytes; written += file.write(chunk.rewind())) {}
        } catch (IOException e) {
            throw new UncheckedIOException("--data: cannot write " + scratch, e);
        }
    }

    private static long room(Path dir) throws IOException {
        return Math.min(Files.getFileStore(dir).getUsableSpace(), Machine.availableMemoryBytes());
    }
}
