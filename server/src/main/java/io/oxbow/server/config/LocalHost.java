// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.config;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** The name by which this machine is told to clients when none is configured. */
final class LocalHost {
    private LocalHost() {}

    /** The canonical host name, or "localhost" if the machine does not know its own. */
    static String name() {
        try {
            return InetAddress.getLocalHost().getCanonicalHostName();
        } catch (UnknownHostException unnamed) {
            return "localhost";
        }
    }
}
