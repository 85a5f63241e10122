// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.config;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.ConfigDef;

/** Renders {@code docs/config.md} from the definitions of keys. Pure. */
final class ConfigPage {
    private ConfigPage() {}

    static String render() {
        return """
        # Configuration

        <!-- Generated from OxbowKeys and KeySupport; ConfigPageTest says how to write it anew. -->

        Oxbow is configured by a Kafka `server.properties`: Kafka's keys keep their names, defaults and meaning (see the
        broker and topic configurations in Apache Kafka 4.4's documentation). Other defaults than Kafka's: %s.
        Beside them:

        ## Keys of Oxbow

        | key | default | values | meaning |
        |---|---|---|---|
        %s
        ## Keys of Kafka that stop the start

        Listeners with TLS or SASL, other roles than `broker,controller`, more than one voter, and anything but the default
        of these, because ignoring them would be less safe than it looks:

        %s

        ## Keys of Kafka without effect

        Named in one warning at start if they are not at their default:

        %s
        """
                .formatted(
                        new TreeMap<>(BrokerConfig.OWN_DEFAULTS)
                                .entrySet().stream()
                                        .map(each -> "`" + each.getKey() + "=" + each.getValue())
                                        .collect(Collectors.joining("`, ", "", "`")),
                        ours(),
                        KeySupport.REFUSED.stream()
                                .map(key -> "`" + key + "`")
                                .collect(Collectors.joining("\n")),
                        withoutEffect());
    }

    private static String ours() {
        StringBuilder rows = new StringBuilder();
        new TreeMap<>(OxbowKeys.definition().configKeys())
                .forEach(
                        (name, key) ->
                                rows.append("| `")
                                        .append(name)
                                        .append("` | ")
                                        .append(
                                                "".equals(key.defaultValue)
                                                        ? "none"
                                                        : key.defaultValue)
                                        .append(" | ")
                                        .append(values(key))
                                        .append(" | ")
                                        .append(key.documentation)
                                        .append(" |\n"));
        return rows.toString();
    }

    private static String values(ConfigDef.ConfigKey key) {
        return key.validator == null
                ? key.type.toString().toLowerCase(java.util.Locale.ROOT)
                : key.validator.toString();
    }

    private static String withoutEffect() {
        Map<String, ConfigDef.ConfigKey> keys = new TreeMap<>(BrokerConfig.DEFINITION.configKeys());
        return keys.values().stream()
                .filter(key -> !key.internalConfig && KeySupport.hasNoEffect(key.name))
                .filter(key -> !KeySupport.REFUSED.contains(key.name))
                .map(key -> "`" + key.name + "`")
                .collect(Collectors.joining("\n"));
    }
}
