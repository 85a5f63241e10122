// SPDX-License-Identifier: Apache-2.0
package io.oxbow.coordination.runtime;

import io.oxbow.base.time.Clock;
import org.apache.kafka.common.utils.Time;

/** The library's view of our clock. Any thread. */
public record ClockTime(Clock clock) implements Time {

    @Override
    public long milliseconds() {
        return clock.wallMs();
    }

    @Override
    public long nanoseconds() {
        return clock.nanos();
    }

    /** Coordinators do not sleep. */
    @Override
    public void sleep(long ms) {
        throw new UnsupportedOperationException("a coordinator waits by timers");
    }
}
