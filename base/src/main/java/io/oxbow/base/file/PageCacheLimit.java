// SPDX-License-Identifier: Apache-2.0
package io.oxbow.base.file;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.SequencedSet;

/**
 * Bounds the descriptors that questions to the page cache keep open: beyond the limit the file that
 * was asked about longest ago lets go of its own, and opens one again when it is asked next. Any
 * thread.
 */
final class PageCacheLimit {
    /** Descriptors of the whole process; each is worth one {@code open} that is not repeated. */
    static final int DESCRIPTORS = 256;

    private final int limit;

    /** In the order in which they were asked. Guarded by {@code this}. */
    private final SequencedSet<NativeStoreFile> open = new LinkedHashSet<>();

    PageCacheLimit(int limit) {
        this.limit = limit;
    }

    /**
     * A file was asked. The caller holds no file's lock, because another file may be closed here.
     */
    void asked(NativeStoreFile file) {
        NativeStoreFile oldest = null;
        synchronized (this) {
            open.addLast(file);
            if (open.size() > limit) {
                Iterator<NativeStoreFile> first = open.iterator();
                oldest = first.next();
                first.remove();
            }
        }
        if (oldest != null) oldest.closePageCache();
    }

    /** A file was closed. */
    synchronized void closed(NativeStoreFile file) {
        open.remove(file);
    }
}
