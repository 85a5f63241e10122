// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.broker;

import io.oxbow.net.ListenerConfig;
import io.oxbow.net.NetConfig;
import io.oxbow.server.config.BrokerConfig;
import io.oxbow.server.config.Listener;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** From the node's configuration to what the network layer needs to know. Pure. */
final class NetSettings {
    /** Requests of one connection that may be unanswered; Kafka has 1, pipelining pays. */
    private static final int MAX_UNSENT_PER_CONNECTION = 64;

    private NetSettings() {}

    static NetConfig of(BrokerConfig config) {
        return new NetConfig(
                config.getInt("num.network.threads"),
                config.getInt("socket.request.max.bytes"),
                config.getInt("socket.send.buffer.bytes"),
                config.getInt("socket.receive.buffer.bytes"),
                config.getInt("socket.listen.backlog.size"),
                config.getInt("max.connections"),
                config.getInt("max.connections.per.ip"),
                overrides(config.getString("max.connections.per.ip.overrides")),
                config.getInt("max.connection.creation.rate"),
                config.getLong("connections.max.idle.ms"),
                config.getLong("queued.max.request.bytes"),
                MAX_UNSENT_PER_CONNECTION);
    }

    private static Map<String, Integer> overrides(String text) {
        Map<String, Integer> overrides = new HashMap<>();
        for (String entry : text.split(",", -1)) {
            if (entry.isBlank()) continue;
            int colon = entry.lastIndexOf(':');
            overrides.put(
                    entry.substring(0, colon).strip(),
                    Integer.parseInt(entry.substring(colon + 1).strip()));
        }
        return overrides;
    }

    static List<ListenerConfig> listeners(BrokerConfig config, List<Listener> listeners) {
        return listeners.stream().map(each -> listener(config, each)).toList();
    }

    private static ListenerConfig listener(BrokerConfig config, Listener listener) {
        String prefix = "listener.name." + listener.name().toLowerCase(Locale.ROOT) + ".";
        return new ListenerConfig(
                listener.name(),
                listener.host(),
                listener.port(),
                ListenerConfig.Protocol.valueOf(listener.protocol().name()),
                limit(config, prefix + "max.connections"),
                limit(config, prefix + "max.connection.creation.rate"),
                listener.name().equals(config.listeners().interBroker()));
    }

    private static int limit(BrokerConfig config, String key) {
        String value = config.written().get(key);
        return value == null ? Integer.MAX_VALUE : Integer.parseInt(value.strip());
    }
}
