// SPDX-License-Identifier: Apache-2.0
package io.oxbow.metadata.raft;

import io.oxbow.base.time.Clock;

/** Time that stands still until it is moved. */
final class SimClock implements Clock {
    private long nowMs = 1_000_000;

    @Override
    public long wallMs() {
        return nowMs;
    }

    @Override
    public long nanos() {
        return nowMs * 1_000_000;
    }

    void advanceMs(long ms) {
        nowMs += ms;
    }
}
