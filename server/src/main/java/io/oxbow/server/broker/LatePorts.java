// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.broker;

import io.oxbow.net.NetServer;
import io.oxbow.server.config.Listener;
import java.util.List;

/** Advertised listeners with the ports that were really bound where the file says 0. Pure. */
final class LatePorts {
    private LatePorts() {}

    static List<Listener> resolve(List<Listener> advertised, NetServer server) {
        return advertised.stream().map(each -> resolve(each, server)).toList();
    }

    private static Listener resolve(Listener advertised, NetServer server) {
        if (advertised.port() != 0) return advertised;
        return new Listener(
                advertised.name(),
                advertised.host(),
                server.port(advertised.name()),
                advertised.protocol());
    }
}
