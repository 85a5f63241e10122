// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.lane;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Those who wait for one log to move on; each is told once. An immutable array replaced by
 * compare-and-set: many threads add and remove, the lane takes all. Usually empty or a handful.
 */
final class Watchers {
    private static final LogWatcher[] NONE = {};

    private final AtomicReference<LogWatcher[]> waiting = new AtomicReference<>(NONE);

    void add(LogWatcher watcher) {
        LogWatcher[] before;
        LogWatcher[] after;
        do {
            before = waiting.get();
            after = Arrays.copyOf(before, before.length + 1);
            after[before.length] = watcher;
        } while (!waiting.compareAndSet(before, after));
    }

    /** Forgets one registration of {@code watcher}, if it was not told yet. */
    void remove(LogWatcher watcher) {
        LogWatcher[] before;
        LogWatcher[] after;
        do {
            before = waiting.get();
            int index = indexOf(before, watcher);
            if (index < 0) return;
            after = before.length == 1 ? NONE : Arrays.copyOf(before, before.length - 1);
            // The last one takes the freed place: order means nothing.
            if (index < after.length) after[index] = before[before.length - 1];
        } while (!waiting.compareAndSet(before, after));
    }

    /** All that wait now; they are no longer registered. */
    LogWatcher[] takeAll() {
        return waiting.get().length == 0 ? NONE : waiting.getAndSet(NONE);
    }

    private static int indexOf(LogWatcher[] watchers, LogWatcher wanted) {
        for (int i = 0; i < watchers.length; i++) if (watchers[i].equals(wanted)) return i;
        return -1;
    }
}
