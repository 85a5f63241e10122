// SPDX-License-Identifier: Apache-2.0
package io.oxbow.net;

/**
 * {@code max.connection.creation.rate} as a token bucket: a second's worth may come at once. Owned
 * by the accepting thread.
 */
final class CreationRate {
    private static final long SECOND = 1_000_000_000L;

    private final int perSecond;
    private double tokens;
    private long lastNanos;

    CreationRate(int perSecond, long nowNanos) {
        this.perSecond = perSecond;
        this.tokens = perSecond;
        this.lastNanos = nowNanos;
    }

    /** Counts one connection; returns nanoseconds until the next may be accepted, 0 for none. */
    long spend(long nowNanos) {
        if (perSecond == Integer.MAX_VALUE) return 0;
        double earned = (double) (nowNanos - lastNanos) * perSecond / SECOND;
        tokens = Math.min(perSecond, tokens + earned) - 1;
        lastNanos = nowNanos;
        return tokens >= 1 ? 0 : (long) Math.ceil((1 - tokens) * SECOND / perSecond);
    }
}
