// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.segment;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Whether a file has changes that are not durable. A change that comes while a sync is under way
 * stays unsynced, and so does everything if the sync fails. Any thread.
 */
final class SyncMark {
    private final AtomicInteger changes = new AtomicInteger();

    /** {@link #changes} as it was before the last sync; written by whoever syncs. */
    private volatile int synced;

    /** The file was written to or cut. */
    void changed() {
        changes.incrementAndGet();
    }

    boolean unsynced() {
        return changes.get() != synced;
    }

    /** Runs {@code sync}; unless it throws, what was changed before is durable. */
    void by(Runnable sync) {
        int before = changes.get();
        sync.run();
        synced = before;
    }
}
