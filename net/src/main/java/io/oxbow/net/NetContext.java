// SPDX-License-Identifier: Apache-2.0
package io.oxbow.net;

import io.oxbow.base.error.LogAllowance;
import io.oxbow.base.time.Clock;

/** What all connections of a server share. */
record NetContext(
        NetConfig config, RequestMemory memory, Clock clock, LogAllowance strangersLines) {

    NetContext(NetConfig config, RequestMemory memory, Clock clock) {
        this(config, memory, clock, new LogAllowance(clock));
    }
}
