// SPDX-License-Identifier: Apache-2.0
package io.oxbow.metadata;

import io.oxbow.base.time.Clock;
import org.apache.kafka.common.utils.Time;

/** How Kafka's libraries see our clock. Any thread. */
public record ClockTime(Clock clock) implements Time {

    @Override
    public long milliseconds() {
        return clock.wallMs();
    }

    @Override
    public long nanoseconds() {
        return clock.nanos();
    }

    /** The libraries wait by timers and by polling their queues with a time-out. */
    @Override
    public void sleep(long ms) {
        throw new UnsupportedOperationException("nothing sleeps here");
    }
}
