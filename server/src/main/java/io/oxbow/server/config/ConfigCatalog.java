// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.types.Password;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsResourceResult;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsSynonym;
import org.apache.kafka.common.requests.DescribeConfigsResponse.ConfigSource;
import org.apache.kafka.common.requests.DescribeConfigsResponse.ConfigType;
import org.apache.kafka.server.config.DynamicBrokerConfig;
import org.apache.kafka.server.config.ServerTopicConfigSynonyms;
import org.apache.kafka.storage.internals.log.LogConfig;

/**
 * What DescribeConfigs answers for topics and brokers: every key with its value, where the value
 * comes from, its type, text and the values below it, as Apache Kafka 4.4 answers. Pure; made from
 * the file's configuration, the run-time values come with each call.
 */
public final class ConfigCatalog {

    /**
     * What is asked for.
     *
     * @param names only these keys; empty: all
     * @param synonyms with the values below the effective one
     * @param documentation with the keys' texts
     */
    public record Selection(Set<String> names, boolean synonyms, boolean documentation) {
        public static final Selection ALL = new Selection(Set.of(), true, true);

        boolean wants(String name) {
            return names.isEmpty() || names.contains(name);
        }
    }

    private final BrokerConfig broker;
    private final Map<String, String> defaults;

    /**
     * The configuration by the dynamic values seen last, which hardly ever change. Written and read
     * by any thread, each of which can make it anew: no more than a memory.
     */
    private volatile Effective last;

    private record Effective(
            DynamicValues dynamic, BrokerConfig config, Map<String, String> topicDefaults) {

        Effective(DynamicValues dynamic, BrokerConfig config) {
            this(dynamic, config, topicTexts(config));
        }
    }

    private static Map<String, String> topicTexts(BrokerConfig config) {
        Map<String, Object> inherited = LogSettingsFactory.topicDefaults(config);
        Map<String, String> texts = new TreeMap<>();
        LogConfig.configKeys()
                .forEach(
                        (name, key) -> {
                            Object value = inherited.getOrDefault(name, key.defaultValue);
                            if (value != null) texts.put(name, text(value, Optional.of(key.type)));
                        });
        return texts;
    }

    /**
     * @param broker as in the file, without dynamic values
     */
    public ConfigCatalog(BrokerConfig broker) {
        this.broker = broker;
        this.defaults = strings(BrokerConfig.DEFINITION.defaultValues());
        this.last = new Effective(DynamicValues.NONE, broker);
    }

    /** The broker's configuration with dynamic values over it. */
    public BrokerConfig effective(DynamicValues dynamic) {
        return resolved(dynamic).config;
    }

    private Effective resolved(DynamicValues dynamic) {
        Effective known = last;
        if (known.dynamic.equals(dynamic)) return known;
        Effective made = new Effective(dynamic, broker.reconfigured(dynamic));
        last = made;
        return made;
    }

    /** What a topic that says nothing itself has for a key; null for an unknown key. */
    public String topicDefault(DynamicValues dynamic, String key) {
        return resolved(dynamic).topicDefaults.get(key);
    }

    /** The broker's value for a key; null if it has none. */
    public String brokerValue(DynamicValues dynamic, String key) {
        Object value = effective(dynamic).values().get(key);
        return value == null ? null : text(value, BrokerConfig.keyType(key));
    }

    /**
     * All keys of a topic.
     *
     * @param topic the topic's own values
     */
    public List<DescribeConfigsResourceResult> topic(
            DynamicValues dynamic, Map<String, String> topic, Selection selection) {
        LogConfig config = LogSettingsFactory.logConfig(effective(dynamic), topic);
        List<DescribeConfigsResourceResult> entries = new ArrayList<>();
        allValues(config.originals(), config.nonInternalValues())
                .forEach(
                        (name, value) -> {
                            if (!selection.wants(name)) return;
                            entries.add(
                                    entry(
                                            name,
                                            value,
                                            LogConfig.configType(name),
                                            topicSynonyms(dynamic, topic, name, value),
                                            selection.documentation
                                                    ? documentation(topicKeys(), name)
                                                    : null,
                                            selection));
                        });
        return entries;
    }

    /** All keys of this broker. */
    public List<DescribeConfigsResourceResult> broker(DynamicValues dynamic, Selection selection) {
        BrokerConfig config = effective(dynamic);
        return brokerEntries(
                allValues(config.originals(), config.nonInternalValues()),
                dynamic,
                selection,
                true);
    }

    /** The keys set at run time for all brokers (the resource with the empty name). */
    public List<DescribeConfigsResourceResult> clusterWide(
            DynamicValues dynamic, Selection selection) {
        return brokerEntries(new TreeMap<>(dynamic.clusterWide()), dynamic, selection, false);
    }

    private List<DescribeConfigsResourceResult> brokerEntries(
            Map<String, Object> values,
            DynamicValues dynamic,
            Selection selection,
            boolean ofBroker) {
        List<DescribeConfigsResourceResult> entries = new ArrayList<>();
        values.forEach(
                (name, value) -> {
                    if (!selection.wants(name)) return;
                    List<DescribeConfigsSynonym> synonyms =
                            brokerSynonyms(dynamic, name, sensitive(BrokerConfig.keyType(name)));
                    if (!ofBroker) {
                        byte wide = ConfigSource.DYNAMIC_DEFAULT_BROKER_CONFIG.id();
                        synonyms.removeIf(one -> one.source() != wide);
                    }
                    String text =
                            selection.documentation
                                    ? documentation(BrokerConfig.DEFINITION.configKeys(), name)
                                    : null;
                    entries.add(
                            entry(
                                            name,
                                            value,
                                            BrokerConfig.keyType(name),
                                            synonyms,
                                            text,
                                            selection)
                                    .setReadOnly(
                                            !DynamicBrokerConfig.ALL_DYNAMIC_CONFIGS.contains(
                                                    name)));
                });
        return entries;
    }

    private static DescribeConfigsResourceResult entry(
            String name,
            Object value,
            Optional<ConfigDef.Type> type,
            List<DescribeConfigsSynonym> synonyms,
            String documentation,
            Selection selection) {
        boolean sensitive = sensitive(type);
        return new DescribeConfigsResourceResult()
                .setName(name)
                .setValue(sensitive ? null : text(value, type))
                .setConfigSource(
                        synonyms.isEmpty()
                                ? ConfigSource.DEFAULT_CONFIG.id()
                                : synonyms.getFirst().source())
                .setIsSensitive(sensitive)
                .setReadOnly(false)
                .setSynonyms(selection.synonyms ? synonyms : List.of())
                .setConfigType(wireType(type).id())
                .setDocumentation(documentation);
    }

    private List<DescribeConfigsSynonym> topicSynonyms(
            DynamicValues dynamic, Map<String, String> topic, String name, Object value) {
        Optional<ConfigDef.Type> type = LogConfig.configType(name);
        List<DescribeConfigsSynonym> synonyms = new ArrayList<>();
        if (topic.containsKey(name)) {
            synonyms.add(
                    synonym(
                            name,
                            sensitive(type) ? null : text(value, type),
                            ConfigSource.TOPIC_CONFIG));
        }
        String brokerKey = ServerTopicConfigSynonyms.TOPIC_CONFIG_SYNONYMS.get(name);
        if (brokerKey != null) {
            synonyms.addAll(brokerSynonyms(dynamic, brokerKey, sensitive(type)));
        }
        return synonyms;
    }

    /** The values of a broker key and its other names, the one that wins first. */
    private List<DescribeConfigsSynonym> brokerSynonyms(
            DynamicValues dynamic, String name, boolean sensitive) {
        List<DescribeConfigsSynonym> found = new ArrayList<>();
        List<String> names = DynamicBrokerConfig.brokerConfigSynonyms(name, true);
        Map<ConfigSource, Map<String, String>> layers = new LinkedHashMap<>();
        layers.put(ConfigSource.DYNAMIC_BROKER_CONFIG, dynamic.ofBroker());
        layers.put(ConfigSource.DYNAMIC_DEFAULT_BROKER_CONFIG, dynamic.clusterWide());
        layers.put(ConfigSource.STATIC_BROKER_CONFIG, broker.originalsStrings());
        layers.put(ConfigSource.DEFAULT_CONFIG, defaults);
        layers.forEach(
                (source, values) -> {
                    for (String one : names) {
                        if (!values.containsKey(one)) continue;
                        found.add(synonym(one, sensitive ? null : values.get(one), source));
                    }
                });
        // What is said under other names first is not this key's, e.g. milliseconds over hours.
        List<DescribeConfigsSynonym> own =
                found.stream().dropWhile(one -> !one.name().equals(name)).toList();
        return new ArrayList<>(own);
    }

    private static DescribeConfigsSynonym synonym(String name, String value, ConfigSource source) {
        return new DescribeConfigsSynonym().setName(name).setValue(value).setSource(source.id());
    }

    /** A key that nobody knows may hold a secret. */
    private static boolean sensitive(Optional<ConfigDef.Type> type) {
        return BrokerConfig.maybeSensitive(type);
    }

    private static String text(Object value, Optional<ConfigDef.Type> type) {
        return value instanceof String text
                ? text
                : ConfigDef.convertToString(value, type.orElse(null));
    }

    private static ConfigType wireType(Optional<ConfigDef.Type> type) {
        return type.map(
                        known ->
                                switch (known) {
                                    case BOOLEAN -> ConfigType.BOOLEAN;
                                    case STRING -> ConfigType.STRING;
                                    case INT -> ConfigType.INT;
                                    case SHORT -> ConfigType.SHORT;
                                    case LONG -> ConfigType.LONG;
                                    case DOUBLE -> ConfigType.DOUBLE;
                                    case LIST -> ConfigType.LIST;
                                    case CLASS -> ConfigType.CLASS;
                                    case PASSWORD -> ConfigType.PASSWORD;
                                })
                .orElse(ConfigType.UNKNOWN);
    }

    private static Map<String, ConfigDef.ConfigKey> topicKeys() {
        return LogConfig.configKeys();
    }

    private static String documentation(Map<String, ConfigDef.ConfigKey> keys, String name) {
        ConfigDef.ConfigKey key = keys.get(name);
        return key == null ? null : key.documentation;
    }

    /** Parsed values, and those as written whose key nobody knows. */
    private static Map<String, Object> allValues(
            Map<String, Object> originals, Map<String, ?> parsed) {
        Map<String, Object> all = new TreeMap<>();
        originals.forEach(
                (name, value) -> {
                    if (value != null) all.put(name, value);
                });
        all.putAll(parsed);
        return all;
    }

    private static Map<String, String> strings(Map<String, Object> values) {
        Map<String, String> texts = new TreeMap<>();
        values.forEach(
                (name, value) -> {
                    if (value == null) return;
                    texts.put(
                            name,
                            value instanceof Password password
                                    ? password.value()
                                    : text(value, BrokerConfig.keyType(name)));
                });
        return texts;
    }

    /** Names of the keys that may change at run time for this broker or all. */
    public static Set<String> dynamicKeys() {
        return new TreeSet<>(DynamicBrokerConfig.ALL_DYNAMIC_CONFIGS);
    }

    static Properties properties(Map<String, String> values) {
        Properties properties = new Properties();
        properties.putAll(values);
        return properties;
    }
}
