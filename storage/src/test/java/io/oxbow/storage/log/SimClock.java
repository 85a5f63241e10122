// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.log;

import io.oxbow.base.time.Clock;
import java.util.concurrent.TimeUnit;

/** A clock that moves when told. */
public final class SimClock implements Clock {
    private long ms = 1_000_000_000_000L;

    public void advanceMs(long by) {
        ms += by;
    }

    @Override
    public long wallMs() {
        return ms;
    }

    @Override
    public long nanos() {
        return TimeUnit.MILLISECONDS.toNanos(ms);
    }
}
