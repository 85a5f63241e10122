// SPDX-License-Identifier: Apache-2.0
package io.oxbow.net;

import io.oxbow.base.error.LogAllowance;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts connections against {@code max.connections}, its listeners' own limits and {@code
 * max.connections.per.ip}. As in Kafka an address over its limit is turned away at once, and a
 * server or listener that is full lets newcomers wait in the backlog. Owned by the accepting
 * thread.
 */
final class ConnectionLimits {
    private static final Logger log = LoggerFactory.getLogger(ConnectionLimits.class);

    private final NetConfig config;
    private final LogAllowance strangersLines;
    private final Map<InetAddress, Integer> overrides = new HashMap<>();
    private final Map<InetAddress, Integer> byAddress = new HashMap<>();
    private final Map<String, Integer> byListener = new HashMap<>();
    private int total;

    ConnectionLimits(NetConfig config, LogAllowance strangersLines) {
        this.config = config;
        this.strangersLines = strangersLines;
        config.maxConnectionsPerIpOverrides().forEach(this::override);
    }

    /** Counts a new connection in; false if its address has too many. */
    boolean enter(InetAddress address, ListenerConfig listener) {
        int limit = overrides.getOrDefault(address, config.maxConnectionsPerIp());
        if (byAddress.getOrDefault(address, 0) >= limit) {
            strangersLines.line(
                    end ->
                            log.info(
                                    "Refused a connection from {} on {}: it has {} already"
                                            + " (max.connections.per.ip){}",
                                    address,
                                    listener.name(),
                                    limit,
                                    end));
            return false;
        }
        byAddress.merge(address, 1, Integer::sum);
        byListener.merge(listener.name(), 1, Integer::sum);
        total++;
        return true;
    }

    void leave(InetAddress address, ListenerConfig listener) {
        byAddress.computeIfPresent(address, (_, count) -> count == 1 ? null : count - 1);
        byListener.merge(listener.name(), -1, Integer::sum);
        total--;
    }

    /** How many lines those who connect may still cause. */
    LogAllowance strangersLines() {
        return strangersLines;
    }

    /** Whether this listener must not accept now. */
    boolean full(ListenerConfig listener) {
        boolean serverFull = total >= config.maxConnections() && !listener.protectedFromLimit();
        return serverFull
                || byListener.getOrDefault(listener.name(), 0) >= listener.maxConnections();
    }

    int total() {
        return total;
    }

    private void override(String host, int limit) {
        try {
            for (InetAddress address : InetAddress.getAllByName(host)) {
                overrides.put(address, limit);
            }
        } catch (UnknownHostException unknown) {
            throw new IllegalArgumentException(
                    "max.connections.per.ip.overrides names an unknown host: " + host, unknown);
        }
    }
}
