// SPDX-License-Identifier: Apache-2.0
package io.oxbow.net;

import io.oxbow.base.error.LogAllowance;
import io.oxbow.base.time.Clock;

/**
 * What all connections of a server share.
 *
 * @param strangersLines of log that those who connect may cause
 * @param failureLines of log for what went wrong here; apart, so that no stranger can use them up
 */
record NetContext(
        NetConfig config,
        RequestMemory memory,
        Clock clock,
        LogAllowance strangersLines,
        LogAllowance failureLines) {

    NetContext(NetConfig config, RequestMemory memory, Clock clock) {
        this(config, memory, clock, new LogAllowance(clock), new LogAllowance(clock));
    }
}
