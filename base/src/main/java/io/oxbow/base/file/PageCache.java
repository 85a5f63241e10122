// SPDX-License-Identifier: Apache-2.0
package io.oxbow.base.file;

import java.nio.file.Path;

/** What the kernel's page cache holds of one file; hints only. Not thread-safe. */
class PageCache implements AutoCloseable {

    /** Where the kernel cannot be asked: nothing is known to be cached, hints go nowhere. */
    static final PageCache UNKNOWN = new PageCache();

    static PageCache of(Path path) {
        return LinuxPageCache.AVAILABLE ? LinuxPageCache.open(path) : UNKNOWN;
    }

    /** Whether all pages of the range are in memory. */
    boolean holds(long position, long length) {
        return false;
    }

    void prefetch(long position, long length) {}

    void evict(long position, long length) {}

    @Override
    public void close() {}
}
