// SPDX-License-Identifier: Apache-2.0
package io.oxbow.controller;

import io.oxbow.base.time.Clock;
import java.util.concurrent.TimeUnit;

/** A clock that the test moves. */
public final class SimClock implements Clock {
    private long nanos = TimeUnit.HOURS.toNanos(1);

    public void advanceMs(long ms) {
        nanos += TimeUnit.MILLISECONDS.toNanos(ms);
    }

    @Override
    public long wallMs() {
        return TimeUnit.NANOSECONDS.toMillis(nanos);
    }

    @Override
    public long nanos() {
        return nanos;
    }
}
