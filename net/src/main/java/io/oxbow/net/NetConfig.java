// SPDX-License-Identifier: Apache-2.0
package io.oxbow.net;

import java.util.Map;

/**
 * What the network layer needs to know. All sizes in bytes.
 *
 * @param threads event loops ({@code num.network.threads})
 * @param maxRequestBytes largest frame ({@code socket.request.max.bytes})
 * @param sendBufferBytes {@code socket.send.buffer.bytes}; -1: the system's
 * @param receiveBufferBytes {@code socket.receive.buffer.bytes}; -1: the system's
 * @param backlog {@code socket.listen.backlog.size}
 * @param maxConnections over all listeners ({@code max.connections})
 * @param maxConnectionsPerIp {@code max.connections.per.ip}
 * @param maxConnectionsPerIpOverrides by host name or address ({@code
 *     max.connections.per.ip.overrides})
 * @param maxCreationRate connections a second over all listeners ({@code
 *     max.connection.creation.rate})
 * @param idleMs {@code connections.max.idle.ms}; negative: never closed for idleness
 * @param queuedRequestBytes most bytes of requests in memory ({@code queued.max.request.bytes});
 *     not positive: no bound
 * @param maxUnsentPerConnection requests of one connection that may be unanswered or have answers
 *     not yet sent; beyond it the connection is not read
 */
public record NetConfig(
        int threads,
        int maxRequestBytes,
        int sendBufferBytes,
        int receiveBufferBytes,
        int backlog,
        int maxConnections,
        int maxConnectionsPerIp,
        Map<String, Integer> maxConnectionsPerIpOverrides,
        int maxCreationRate,
        long idleMs,
        long queuedRequestBytes,
        int maxUnsentPerConnection) {

    /** Kafka's defaults, except that fewer threads do. */
    public static final NetConfig DEFAULTS =
            new NetConfig(
                    3,
                    100 << 20,
                    100 << 10,
                    100 << 10,
                    50,
                    Integer.MAX_VALUE,
                    Integer.MAX_VALUE,
                    Map.of(),
                    Integer.MAX_VALUE,
                    600_000,
                    -1,
                    64);
}
