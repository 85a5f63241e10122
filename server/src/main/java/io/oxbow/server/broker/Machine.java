// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.broker;

import io.oxbow.base.file.FileSystem;
import io.oxbow.base.file.NativeFileSystem;
import io.oxbow.base.thread.Threads;
import io.oxbow.base.time.Clock;
import io.oxbow.base.time.Scheduler;
import io.oxbow.base.time.SystemClock;
import io.oxbow.base.time.SystemScheduler;
import java.util.random.RandomGenerator;

/**
 * What a broker runs on: files, clocks, timers, threads and chance, the machine's own or simulated.
 */
public record Machine(
        FileSystem files,
        Clock clock,
        Scheduler scheduler,
        Threads threads,
        RandomGenerator random) {

    /** This process's machine, with timers of its own that end with the process. */
    public static Machine real() {
        return new Machine(
                NativeFileSystem.INSTANCE,
                SystemClock.INSTANCE,
                new SystemScheduler(),
                Threads.SYSTEM,
                RandomGenerator.getDefault());
    }
}
