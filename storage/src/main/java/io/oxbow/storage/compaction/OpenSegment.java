// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.compaction;

import io.oxbow.base.file.StoreFile;
import io.oxbow.storage.segment.Segment;
import io.oxbow.storage.segment.SharedFile;

/**
 * A closed segment while a compactor reads it. If nobody had its files open before, they are closed
 * again: a run over thousands of segments must not use up the files that a process may have open.
 */
final class OpenSegment implements AutoCloseable {
    private final Segment segment;
    private final SharedFile.Handle handle;
    private final boolean wasOpen;

    OpenSegment(Segment segment) {
        this.segment = segment;
        SharedFile.Handle open = segment.acquireLog(false);
        wasOpen = open != null;
        handle = wasOpen ? open : segment.acquireLog(true);
    }

    StoreFile file() {
        return handle.file();
    }

    @Override
    public void close() {
        handle.release();
        if (!wasOpen) segment.close();
    }
}
