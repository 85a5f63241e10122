// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.lane;

import io.oxbow.base.file.FileSystem;
import io.oxbow.base.thread.Threads;
import io.oxbow.base.time.Clock;
import io.oxbow.base.time.Scheduler;

/** The machine as the lanes see it. */
record LaneTools(FileSystem files, Clock clock, Scheduler scheduler, Threads threads) {}
