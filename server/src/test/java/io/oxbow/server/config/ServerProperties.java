// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.config;

import java.util.LinkedHashMap;
import java.util.Map;

/** The smallest configuration that works, to be changed by tests. */
final class ServerProperties {
    private final Map<String, String> values = new LinkedHashMap<>();

    private ServerProperties() {
        values.put("process.roles", "broker,controller");
        values.put("node.id", "1");
        values.put("controller.listener.names", "CONTROLLER");
        values.put("listeners", "PLAINTEXT://localhost:9092,CONTROLLER://localhost:9093");
        values.put("controller.quorum.bootstrap.servers", "localhost:9093");
        values.put("log.dirs", "/d1,/d2");
    }

    static ServerProperties working() {
        return new ServerProperties();
    }

    ServerProperties with(String key, String value) {
        values.put(key, value);
        return this;
    }

    ServerProperties without(String key) {
        values.remove(key);
        return this;
    }

    BrokerConfig parse() {
        return BrokerConfig.parse(values);
    }
}
