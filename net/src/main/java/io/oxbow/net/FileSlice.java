// SPDX-License-Identifier: Apache-2.0
package io.oxbow.net;

import io.netty.channel.DefaultFileRegion;
import java.nio.channels.FileChannel;

/**
 * A range of a file that is sent by {@code sendfile}. The file belongs to somebody else: when the
 * range is sent or dropped, its owner is told, and the file stays open.
 */
final class FileSlice extends DefaultFileRegion {
    private final Runnable release;

    FileSlice(FileChannel file, long position, long count, Runnable release) {
        super(file, position, count);
        this.release = release;
    }

    @Override
    protected void deallocate() {
        release.run();
    }
}
