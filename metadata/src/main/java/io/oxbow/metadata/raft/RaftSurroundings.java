// SPDX-License-Identifier: Apache-2.0
package io.oxbow.metadata.raft;

import io.oxbow.base.file.FileSystem;
import io.oxbow.base.thread.Threads;
import io.oxbow.base.time.Clock;
import io.oxbow.base.time.Scheduler;

/** The machine, or a simulation of it. */
public record RaftSurroundings(
        FileSystem files, Clock clock, Scheduler scheduler, Threads threads) {}
