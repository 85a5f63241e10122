// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.config;

import org.apache.kafka.common.security.auth.SecurityProtocol;

/**
 * One listener, e.g. {@code PLAINTEXT://host:9092}.
 *
 * @param name as clients and brokers know it, upper case
 * @param host to bind to or to advertise; empty: all interfaces
 * @param port 0: any free one
 */
public record Listener(String name, String host, int port, SecurityProtocol protocol) {

    @Override
    public String toString() {
        return name + "://" + host + ":" + port;
    }
}
