// SPDX-License-Identifier: Apache-2.0
package io.oxbow.net;

/**
 * One entry of {@code listeners}: a socket that clients or brokers come in by.
 *
 * @param name e.g. "PLAINTEXT", "CONTROLLER", "INTERNAL"
 * @param host name or address to bind to; empty: all interfaces
 * @param port 0: any free port, see {@link NetServer#port}
 * @param protocol how bytes are protected ({@code listener.security.protocol.map})
 * @param maxConnections {@code listener.name.NAME.max.connections}
 * @param maxCreationRate {@code listener.name.NAME.max.connection.creation.rate}, a second
 * @param protectedFromLimit whether the broker-wide {@code max.connections} spares this listener
 *     (Kafka spares the inter-broker listener, so that clients cannot lock brokers out)
 */
public record ListenerConfig(
        String name,
        String host,
        int port,
        Protocol protocol,
        int maxConnections,
        int maxCreationRate,
        boolean protectedFromLimit) {

    /** Kafka's security protocols. */
    public enum Protocol {
        PLAINTEXT,
        SSL,
        SASL_PLAINTEXT,
        SASL_SSL
    }

    /** A listener without limits and without protection. */
    public static ListenerConfig plaintext(String name, String host, int port) {
        return new ListenerConfig(
                name, host, port, Protocol.PLAINTEXT, Integer.MAX_VALUE, Integer.MAX_VALUE, false);
    }
}
