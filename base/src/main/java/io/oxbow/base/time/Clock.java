// SPDX-License-Identifier: Apache-2.0
package io.oxbow.base.time;

/** A source of time. Core code takes one; it never reads the machine's clocks itself. */
public interface Clock {

    /** Wall-clock time in milliseconds since the epoch; may jump. */
    long wallMs();

    /** Monotonic time in nanoseconds, from an arbitrary origin; never goes back. */
    long nanos();
}
