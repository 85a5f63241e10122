// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.lane;

import io.oxbow.base.file.FileSystem.Space;

/**
 * Knows how much room a directory has and when it counts as full (spec 10 F1): below the reserve,
 * and again with room only a tenth of the reserve above it, so that it does not flap. Between two
 * measurements the bytes written meanwhile are taken off. Owned by the lane.
 */
final class RoomGauge {
    private static final long GIB = 1L << 30;

    private final long configuredReserve;
    private long reserve;
    private long usable = Long.MAX_VALUE;
    private long total;
    private long writtenSince;
    private boolean full;

    /** The file system has refused a write, whatever room it claims (a quota does that). */
    private boolean refused;

    /**
     * @param configuredReserve bytes, or -1: 1 % of the volume or 1 GiB, whichever is smaller
     */
    RoomGauge(long configuredReserve) {
        this.configuredReserve = configuredReserve;
    }

    void measured(Space space) {
        reserve =
                configuredReserve >= 0
                        ? configuredReserve
                        : Math.min(space.totalBytes() / 100, GIB);
        usable = space.usableBytes();
        total = space.totalBytes();
        writtenSince = 0;
        decide();
    }

    void wrote(long bytes) {
        writtenSince += bytes;
    }

    /** A write has failed for lack of room: full until {@link #accepted}. */
    void refused() {
        refused = true;
        decide();
    }

    /** A trial write has found room again. */
    void accepted() {
        refused = false;
        decide();
    }

    boolean wasRefused() {
        return refused;
    }

    /** Whether the volume must be asked again before more is written. */
    boolean measureNow() {
        return !full && usable - writtenSince < reserve;
    }

    /** Bytes that are left, as far as is known. */
    long left() {
        return usable - writtenSince;
    }

    boolean full() {
        return full;
    }

    /** Whether what is deleted must go at once: less than twice the reserve is left. */
    boolean scarce() {
        return full || usable - writtenSince < 2 * reserve;
    }

    /** Whether active segments should be rolled early: the volume is half full. */
    boolean tight() {
        return scarce() || usable - writtenSince < total / 2;
    }

    private void decide() {
        long left = usable - writtenSince;
        if (refused || left < reserve) full = true;
        else if (left >= reserve + reserve / 10) full = false;
    }
}
