// SPDX-License-Identifier: Apache-2.0
package io.oxbow.base.time;

/** The machine's own clocks. Any thread. */
public enum SystemClock implements Clock {
    INSTANCE;

    @Override
    public long wallMs() {
        return System.currentTimeMillis();
    }

    @Override
    public long nanos() {
        return System.nanoTime();
    }
}
