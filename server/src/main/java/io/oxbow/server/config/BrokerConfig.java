// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.config;

import io.oxbow.base.file.FileSystem;
import io.oxbow.storage.compaction.CompactionConfig;
import io.oxbow.storage.lane.LogPoolConfig;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.ConfigValue;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.network.SocketServerConfigs;
import org.apache.kafka.raft.MetadataLogConfig;
import org.apache.kafka.raft.QuorumConfig;
import org.apache.kafka.server.config.AbstractKafkaConfig;
import org.apache.kafka.server.config.DynamicBrokerConfig;

/**
 * A node's configuration as one immutable value: Kafka's keys by Kafka's definitions, and ours
 * ({@link OxbowKeys}). The only class that touches Kafka's {@code AbstractKafkaConfig}. An instance
 * exists only if the whole configuration can work.
 *
 * <p>Dynamic configuration makes a new instance ({@link #reconfigured}). Any thread.
 */
public final class BrokerConfig extends AbstractKafkaConfig {

    /** Every key that a broker knows: Kafka's and ours. */
    static final ConfigDef DEFINITION =
            Utils.mergeConfigs(List.of(AbstractKafkaConfig.CONFIG_DEF, OxbowKeys.definition()));

    /**
     * Defaults that are not Kafka's. Quorum linger: a change of metadata waits for no others; those
     * that come while one is written share the next write (ADR 25). Socket buffers: the system
     * chooses their sizes (ADR 26). The controller's idle records: one in five seconds (ADR 27).
     */
    static final Map<String, String> OWN_DEFAULTS =
            Map.of(
                    QuorumConfig.QUORUM_LINGER_MS_CONFIG,
                    "0",
                    MetadataLogConfig.METADATA_MAX_IDLE_INTERVAL_MS_CONFIG,
                    "5000",
                    SocketServerConfigs.SOCKET_SEND_BUFFER_BYTES_CONFIG,
                    "-1",
                    SocketServerConfigs.SOCKET_RECEIVE_BUFFER_BYTES_CONFIG,
                    "-1");

    private final Map<String, String> written;
    private final ListenerPlan listeners;
    private final List<String> warnings;

    private BrokerConfig(Map<String, String> written) {
        super(DEFINITION, populateSynonyms(written), Map.of(), false);
        this.written = Map.copyOf(written);
        this.listeners = ListenerPlan.of(this);
        StartRules.check(this);
        KeySupport.refuseUnsafe(this);
        this.warnings = KeySupport.warnings(this);
    }

    /**
     * Reads a {@code server.properties}.
     *
     * @throws ConfigProblem if it cannot work; the message is one line for the operator
     */
    public static BrokerConfig read(Path file, FileSystem files) {
        return parse(properties(file, files));
    }

    /** The keys and values of a properties file, nothing checked. */
    public static Map<String, String> properties(Path file, FileSystem files) {
        boolean directory = files.isDirectory(file);
        if (directory || !files.exists(file)) {
            throw new ConfigProblem(
                    "server.properties",
                    file.toString(),
                    directory ? "is a directory, not a file" : "there is no such file",
                    "give the path of a Kafka server.properties");
        }
        Properties properties = new Properties();
        try {
            String text = new String(files.readAll(file), StandardCharsets.UTF_8);
            properties.load(new StringReader(text));
        } catch (IOException | IllegalArgumentException malformed) {
            throw new ConfigProblem(
                    "server.properties",
                    file.toString(),
                    "is not a properties file: " + malformed.getMessage(),
                    "write key=value lines");
        }
        Map<String, String> values = new TreeMap<>();
        properties
                .stringPropertyNames()
                .forEach(name -> values.put(name, properties.getProperty(name).strip()));
        return values;
    }

    /**
     * Takes keys and values as written in a file.
     *
     * @throws ConfigProblem if they cannot work
     */
    public static BrokerConfig parse(Map<String, String> written) {
        StartRules.checkPresence(written);
        checkValues(written);
        Map<String, String> settings = new HashMap<>(OWN_DEFAULTS);
        settings.putAll(written);
        try {
            return new BrokerConfig(settings);
        } catch (ConfigException problem) {
            throw new ConfigProblem(
                    "configuration", null, problem.getMessage(), "correct what is named");
        }
    }

    /** Each value against its key's type and bounds; the first that fails is named. */
    private static void checkValues(Map<String, String> written) {
        if (written.containsKey("config.providers")) return; // values may be references still
        Map<String, String> known = new HashMap<>();
        populateSynonyms(written)
                .forEach((key, value) -> known.put(key.toString(), value.toString()));
        known.keySet().retainAll(DEFINITION.names());
        Map<String, ConfigValue> checked = DEFINITION.validateAll(known);
        for (ConfigValue value : new TreeMap<>(checked).values()) {
            boolean copied = known.containsKey(value.name()) && !written.containsKey(value.name());
            if (copied) continue; // from a synonym, which is named itself
            if (!value.errorMessages().isEmpty()) throw problem(value, known.get(value.name()));
        }
    }

    private static ConfigProblem problem(ConfigValue value, String written) {
        ConfigDef.ConfigKey key = DEFINITION.configKeys().get(value.name());
        String bounds = key.validator == null ? "" : " " + key.validator;
        String said = value.errorMessages().getFirst();
        String reason = said.replaceFirst(".* for configuration " + key.name + ": ", "");
        return new ConfigProblem(
                key.name,
                key.type == ConfigDef.Type.PASSWORD ? "[hidden]" : written,
                written == null ? "is missing" : "is no valid value: " + reason,
                MENDS.getOrDefault(key.name, "give " + WORDS.get(key.type) + bounds));
    }

    /** Mends that say more than a key's type does. */
    private static final Map<String, String> MENDS =
            Map.of(
                    "log.dirs", "give at least one directory, e.g. log.dirs=/var/lib/oxbow",
                    "process.roles", "set process.roles=broker,controller",
                    "controller.quorum.voters", "write it as 1@localhost:9093",
                    "controller.quorum.bootstrap.servers", "write it as localhost:9093",
                    "listeners", "write it as PLAINTEXT://:9092,CONTROLLER://:9093");

    private static final Map<ConfigDef.Type, String> WORDS =
            Map.of(
                    ConfigDef.Type.BOOLEAN, "true or false",
                    ConfigDef.Type.INT, "a whole number",
                    ConfigDef.Type.SHORT, "a whole number up to 32767",
                    ConfigDef.Type.LONG, "a whole number",
                    ConfigDef.Type.DOUBLE, "a number",
                    ConfigDef.Type.STRING, "a text",
                    ConfigDef.Type.LIST, "a list separated by commas",
                    ConfigDef.Type.CLASS, "the name of a class on the class path",
                    ConfigDef.Type.PASSWORD, "a text");

    /**
     * This configuration with dynamic values over it; those of this broker win over those of the
     * whole cluster. A value that cannot work is left out, as Kafka does: what was accepted once
     * must not stop a running broker.
     */
    public BrokerConfig reconfigured(DynamicValues dynamic) {
        if (dynamic.isEmpty()) return this;
        Map<String, String> merged = new HashMap<>(written);
        override(merged, dynamic.clusterWide());
        override(merged, dynamic.ofBroker());
        try {
            return parse(merged);
        } catch (ConfigProblem problem) {
            return withoutWhatFails(dynamic);
        }
    }

    /** A dynamic value silences the key's other forms too, e.g. milliseconds those in hours. */
    private static void override(Map<String, String> values, Map<String, String> dynamic) {
        dynamic.keySet().stream()
                .flatMap(key -> DynamicBrokerConfig.brokerConfigSynonyms(key, false).stream())
                .forEach(values::remove);
        values.putAll(dynamic);
    }

    private BrokerConfig withoutWhatFails(DynamicValues dynamic) {
        BrokerConfig config = this;
        for (Map<String, String> layer : List.of(dynamic.clusterWide(), dynamic.ofBroker())) {
            for (Map.Entry<String, String> one : layer.entrySet()) {
                Map<String, String> tried = new HashMap<>(config.written);
                override(tried, Map.of(one.getKey(), one.getValue()));
                try {
                    config = parse(tried);
                } catch (ConfigProblem left) {
                    // Named when it was set; the value below it stays in force.
                }
            }
        }
        return config;
    }

    /**
     * Type of a key of Kafka's or ours, also under a listener's prefix; empty if nobody knows it.
     */
    static Optional<ConfigDef.Type> keyType(String key) {
        ConfigDef.ConfigKey known = DEFINITION.configKeys().get(key);
        return known == null ? configType(key) : Optional.of(known.type);
    }

    /** Keys and values as they stand in the file (dynamic ones merged in, if any). */
    public Map<String, String> written() {
        return written;
    }

    /** What the operator should know, to be logged once at start; may be empty. */
    public List<String> warnings() {
        return warnings;
    }

    public ListenerPlan listeners() {
        return listeners;
    }

    /** {@code log.dirs}, in their order. */
    public List<Path> directories() {
        return logDirs().stream().map(BrokerConfig::path).distinct().toList();
    }

    /** {@code metadata.log.dir}, or the first of {@code log.dirs}. */
    public Path metadataDirectory() {
        String configured = getString("metadata.log.dir");
        return configured == null ? directories().getFirst() : path(configured);
    }

    /** Directories that take no new partitions. */
    public Set<Path> cordonedDirectories() {
        return cordonedLogDirs().stream()
                .map(BrokerConfig::path)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /**
     * What the log directories need to know.
     *
     * @param clusterId null: taken from the directories
     */
    public LogPoolConfig logPool(String clusterId) {
        return new LogPoolConfig(
                directories(),
                metadataDirectory(),
                nodeId(),
                clusterId,
                LogSettingsFactory.settings(this, Map.of()),
                cordonedDirectories(),
                getString(OxbowKeys.PLACEMENT),
                getLong(OxbowKeys.RESERVE_BYTES),
                getBoolean(OxbowKeys.STRICT_DIRECTORY_IDS),
                numRecoveryThreadsPerDataDir(),
                logFlushOffsetCheckpointIntervalMs(),
                logCleanupIntervalMs(),
                getBoolean("log.cleaner.enable") ? compaction() : null,
                getInt(OxbowKeys.LANE_INBOX_CAPACITY));
    }

    private CompactionConfig compaction() {
        return new CompactionConfig(
                logCleanerDedupeBufferSize(),
                getDouble("log.cleaner.io.buffer.load.factor"),
                getInt("log.cleaner.io.buffer.size"),
                getDouble("log.cleaner.io.max.bytes.per.second"),
                getLong("log.cleaner.backoff.ms"));
    }

    private static Path path(String text) {
        return Path.of(text.strip()).toAbsolutePath().normalize();
    }
}
