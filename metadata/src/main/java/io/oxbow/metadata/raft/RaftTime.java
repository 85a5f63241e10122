// SPDX-License-Identifier: Apache-2.0
package io.oxbow.metadata.raft;

import io.oxbow.base.time.Clock;
import org.apache.kafka.common.utils.Time;

/** The raft library's view of our clock. Any thread. */
record RaftTime(Clock clock) implements Time {

    @Override
    public long milliseconds() {
        return clock.wallMs();
    }

    @Override
    public long nanoseconds() {
        return clock.nanos();
    }

    /** Raft waits by polling its queue with a time-out, never by sleeping. */
    @Override
    public void sleep(long ms) {
        throw new UnsupportedOperationException("raft does not sleep");
    }
}
