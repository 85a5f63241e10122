// SPDX-License-Identifier: Apache-2.0
package io.oxbow.metadata.raft;

import io.oxbow.base.time.Scheduler;
import java.util.ArrayList;
import java.util.List;

/** Keeps what was scheduled and runs it when told to. */
public final class RecordingScheduler implements Scheduler {
    private final List<Runnable> waiting = new ArrayList<>();

    @Override
    public Timer after(long delayMs, Runnable action) {
        waiting.add(action);
        return () -> waiting.remove(action);
    }

    @Override
    public Timer every(long periodMs, Runnable action) {
        throw new UnsupportedOperationException("nothing here repeats");
    }

    /** How much is waiting to be run. */
    public int waiting() {
        return waiting.size();
    }

    public void runAll() {
        List<Runnable> due = List.copyOf(waiting);
        waiting.clear();
        due.forEach(Runnable::run);
    }
}
