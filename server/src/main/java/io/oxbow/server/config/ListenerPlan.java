// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.config;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.common.security.auth.SecurityProtocol;

/**
 * The listeners of a node, told apart by whom they serve. Pure; made from a {@link BrokerConfig}.
 *
 * @param broker listeners for clients and brokers, in the order of {@code listeners}
 * @param controller listeners named by {@code controller.listener.names}
 * @param advertised what clients are told to connect to, broker listeners only
 * @param advertisedControllers what other nodes are told to reach the controller by
 * @param interBroker name of the listener that other brokers use
 */
public record ListenerPlan(
        List<Listener> broker,
        List<Listener> controller,
        List<Listener> advertised,
        List<Listener> advertisedControllers,
        String interBroker) {

    private static final String LISTENERS = "listeners";
    private static final String ADVERTISED = "advertised.listeners";
    private static final String CONTROLLER_NAMES = "controller.listener.names";
    private static final String INTER_BROKER = "inter.broker.listener.name";

    /** Reads and checks the listeners' keys. */
    static ListenerPlan of(BrokerConfig config) {
        config.getList(LISTENERS).forEach(entry -> requireShape(LISTENERS, entry.strip()));
        Map<ListenerName, SecurityProtocol> protocols = protocols(config);
        Set<String> controllerNames =
                config.controllerListenerNames().stream()
                        .map(name -> name.toUpperCase(Locale.ROOT))
                        .collect(Collectors.toSet());
        List<Listener> bound = parse(LISTENERS, config.getList(LISTENERS), protocols);
        distinctPorts(bound);
        List<Listener> broker = without(controllerNames, bound);
        List<Listener> controller = only(controllerNames, bound);
        require(
                !controller.isEmpty() && controller.size() == controllerNames.size(),
                CONTROLLER_NAMES,
                String.join(",", config.controllerListenerNames()),
                "names a listener that " + LISTENERS + " does not have",
                "add e.g. CONTROLLER://localhost:9093 to " + LISTENERS);
        require(
                !broker.isEmpty(),
                LISTENERS,
                String.join(",", config.getList(LISTENERS)),
                "every listener is one of " + CONTROLLER_NAMES + ", none is left for clients",
                "add e.g. PLAINTEXT://:9092");
        List<String> told = config.getList(ADVERTISED);
        List<Listener> advertised =
                told == null ? advertise(bound) : parse(ADVERTISED, told, protocols);
        advertised.forEach(listener -> checkAdvertised(listener, bound));
        List<Listener> toClients = without(controllerNames, advertised);
        require(
                !toClients.isEmpty(),
                ADVERTISED,
                told == null ? null : String.join(",", told),
                "no listener for clients is advertised",
                "advertise one of " + broker);
        List<Listener> toNodes = only(controllerNames, advertised);
        return new ListenerPlan(
                broker,
                controller,
                toClients,
                toNodes.isEmpty() ? advertise(controller) : toNodes,
                interBroker(config, controllerNames, toClients));
    }

    private static Map<ListenerName, SecurityProtocol> protocols(BrokerConfig config) {
        String key = "listener.security.protocol.map";
        try {
            return config.effectiveListenerSecurityProtocolMap();
        } catch (RuntimeException unreadable) {
            throw new ConfigProblem(
                    key,
                    config.getString(key),
                    unreadable.getMessage(),
                    "write it as NAME:PLAINTEXT,NAME2:PLAINTEXT");
        }
    }

    private static List<Listener> parse(
            String key, List<String> entries, Map<ListenerName, SecurityProtocol> protocols) {
        List<Listener> parsed = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (String entry : entries) {
            Listener listener = parseOne(key, entry.strip(), protocols);
            require(
                    names.add(listener.name()),
                    key,
                    String.join(",", entries),
                    "two listeners are called " + listener.name(),
                    "give each its own name");
            parsed.add(listener);
        }
        require(!parsed.isEmpty(), key, "", "has no listener", "give at least PLAINTEXT://:9092");
        return List.copyOf(parsed);
    }

    private static void requireShape(String key, String entry) {
        int scheme = entry.indexOf("://");
        require(
                scheme > 0 && entry.lastIndexOf(':') > scheme + 2,
                key,
                entry,
                "is not NAME://host:port",
                "write it as e.g. PLAINTEXT://localhost:9092");
    }

    private static Listener parseOne(
            String key, String entry, Map<ListenerName, SecurityProtocol> protocols) {
        requireShape(key, entry);
        int scheme = entry.indexOf("://");
        int colon = entry.lastIndexOf(':');
        String name = entry.substring(0, scheme).toUpperCase(Locale.ROOT);
        String host = entry.substring(scheme + 3, colon).replaceAll("[\\[\\]]", "");
        SecurityProtocol protocol = protocols.get(ListenerName.normalised(name));
        require(
                protocol != null,
                key,
                entry,
                "the security protocol of " + name + " is not known",
                "add " + name + ":PLAINTEXT to listener.security.protocol.map");
        return new Listener(name, host, port(key, entry, entry.substring(colon + 1)), protocol);
    }

    private static int port(String key, String entry, String text) {
        int port;
        try {
            port = Integer.parseInt(text);
        } catch (NumberFormatException notANumber) {
            port = -1;
        }
        require(
                port >= 0 && port <= 65_535,
                key,
                entry,
                "\"" + text + "\" is not a port",
                "give a number from 0 to 65535");
        return port;
    }

    private static void distinctPorts(List<Listener> bound) {
        Map<Integer, Listener> seen = new HashMap<>();
        for (Listener listener : bound) {
            Listener other = listener.port() == 0 ? null : seen.put(listener.port(), listener);
            require(
                    other == null || oneOfEachFamily(other.host(), listener.host()),
                    LISTENERS,
                    bound.stream().map(Listener::toString).collect(Collectors.joining(",")),
                    "two listeners use port " + listener.port(),
                    "give each its own port");
        }
    }

    /** Kafka lets an IPv4 and an IPv6 address share a port. */
    private static boolean oneOfEachFamily(String one, String other) {
        return (isIpv4(one) && other.contains(":")) || (isIpv4(other) && one.contains(":"));
    }

    private static boolean isIpv4(String host) {
        return host.matches("\\d+\\.\\d+\\.\\d+\\.\\d+");
    }

    /** Without {@code advertised.listeners} the bound ones are told, by this machine's name. */
    private static List<Listener> advertise(List<Listener> bound) {
        return bound.stream()
                .map(
                        listener ->
                                new Listener(
                                        listener.name(),
                                        routable(listener.host()),
                                        listener.port(),
                                        listener.protocol()))
                .toList();
    }

    private static String routable(String host) {
        return host.isEmpty() || host.equals("0.0.0.0") || host.equals("::")
                ? LocalHost.name()
                : host;
    }

    private static void checkAdvertised(Listener listener, List<Listener> bound) {
        require(
                bound.stream().anyMatch(one -> one.name().equals(listener.name())),
                ADVERTISED,
                listener.toString(),
                "there is no such listener in " + LISTENERS,
                "use one of the names of " + bound);
        require(
                !listener.host().equals("0.0.0.0"),
                ADVERTISED,
                listener.toString(),
                "0.0.0.0 is no address that a client can connect to",
                "give the host name or address that clients use");
    }

    private static String interBroker(
            BrokerConfig config, Set<String> controllerNames, List<Listener> advertised) {
        String name;
        try {
            name = config.interBrokerListenerName().value();
        } catch (RuntimeException unknown) {
            throw new ConfigProblem(
                    INTER_BROKER,
                    config.getString(INTER_BROKER),
                    unknown.getMessage(),
                    "name one of " + advertised);
        }
        require(
                !controllerNames.contains(name)
                        && advertised.stream().anyMatch(one -> one.name().equals(name)),
                INTER_BROKER,
                name,
                "is not an advertised listener of this broker",
                "set it to the name of one of " + advertised);
        return name;
    }

    private static List<Listener> only(Set<String> names, List<Listener> listeners) {
        return listeners.stream().filter(one -> names.contains(one.name())).toList();
    }

    private static List<Listener> without(Set<String> names, List<Listener> listeners) {
        return listeners.stream().filter(one -> !names.contains(one.name())).toList();
    }

    private static void require(
            boolean holds, String key, String value, String wrong, String mend) {
        if (!holds) throw new ConfigProblem(key, value, wrong, mend);
    }
}
