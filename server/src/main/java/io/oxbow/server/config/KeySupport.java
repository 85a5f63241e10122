// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.security.auth.SecurityProtocol;

/**
 * Which of Kafka's keys Oxbow cannot honour, and what that means: a key without which data or
 * access would be less safe than its writer thinks stops the start; any other is named in one
 * warning (ADR 0011). Pure. A feature that lands takes its keys out of here.
 */
final class KeySupport {

    /** Keys that have no effect, by how they begin. */
    private static final List<String> WITHOUT_EFFECT_PREFIXES =
            List.of(
                    "add.partitions.to.txn.",
                    "sasl.",
                    "ssl.",
                    "delegation.token.",
                    "remote.",
                    "rsm.config.",
                    "rlmm.config.",
                    "log.local.retention.",
                    "log.remote.",
                    "zookeeper.",
                    "kafka.metrics.",
                    "metrics.",
                    "quota.window.",
                    "replication.quota.",
                    "alter.log.dirs.replication.quota.",
                    "controller.quota.",
                    "errors.deadletterqueue.",
                    "listener.name.");

    /** Keys that have no effect, by their whole name. */
    private static final Set<String> WITHOUT_EFFECT =
            Set.of(
                    "background.threads",
                    "connections.max.reauth.ms",
                    "connection.failed.authentication.delay.ms",
                    "controller.socket.timeout.ms",
                    "delete.records.purgatory.purge.interval.requests",
                    "early.start.listeners",
                    "fetch.purgatory.purge.interval.requests",
                    "follower.fetch.last.tiered.offset.enable",
                    "log.cleaner.io.buffer.load.factor",
                    "log.cleaner.io.buffer.size",
                    "log.cleaner.threads",
                    "log.dir.failure.timeout.ms",
                    "log.flush.start.offset.checkpoint.interval.ms",
                    "metric.reporters",
                    "num.io.threads",
                    "num.replica.alter.log.dirs.threads",
                    "num.replica.fetchers",
                    "producer.purgatory.purge.interval.requests",
                    "queued.max.requests",
                    "replica.fetch.backoff.ms",
                    "replica.fetch.max.bytes",
                    "replica.fetch.min.bytes",
                    "replica.fetch.response.max.bytes",
                    "replica.high.watermark.checkpoint.interval.ms",
                    "replica.selector.class",
                    "replica.socket.receive.buffer.bytes",
                    "request.timeout.ms",
                    "security.providers",
                    "share.fetch.purgatory.purge.interval.requests",
                    "socket.connection.setup.timeout.max.ms",
                    "socket.connection.setup.timeout.ms",
                    "telemetry.max.bytes",
                    "transaction.abort.timed.out.transaction.cleanup.interval.ms",
                    "transaction.max.timeout.ms",
                    "transaction.partition.verification.enable",
                    "transaction.remove.expired.transaction.cleanup.interval.ms",
                    "transaction.state.log.load.buffer.size",
                    "transaction.state.log.segment.bytes",
                    "transaction.two.phase.commit.enable",
                    "transactional.id.expiration.ms",
                    OxbowKeys.DIRECTORY_CLASSES);

    /** Keys whose loss would be unsafe; anything but their default stops the start. */
    static final List<String> REFUSED =
            List.of(
                    "alter.config.policy.class.name",
                    "authorizer.class.name",
                    "client.quota.callback.class",
                    "create.topic.policy.class.name",
                    "principal.builder.class",
                    "remote.log.storage.system.enable");

    private KeySupport() {}

    /**
     * Refuses what would be less safe than it looks.
     *
     * @throws ConfigProblem for the first such key
     */
    static void refuseUnsafe(BrokerConfig config) {
        refuseRoles(config);
        refuseSecurity(config);
        refusePlugins(config);
        require(
                !config.getBoolean("remote.log.storage.system.enable"),
                "remote.log.storage.system.enable",
                "true",
                "Oxbow has no tiered storage yet, remote segments could not be read",
                "set it to false, or keep this cluster on Apache Kafka");
    }

    private static void refuseRoles(BrokerConfig config) {
        List<String> roles = config.getList("process.roles");
        require(
                Set.copyOf(roles).equals(Set.of("broker", "controller")),
                "process.roles",
                String.join(",", roles),
                "Oxbow runs both roles in one process only, so far",
                "set process.roles=broker,controller");
        List<String> voters = config.getList("controller.quorum.voters");
        require(
                voters.size() <= 1,
                "controller.quorum.voters",
                String.join(",", voters),
                "Oxbow runs a quorum of one node only, so far",
                "name this node alone");
    }

    private static void refuseSecurity(BrokerConfig config) {
        List<Listener> all = new ArrayList<>(config.listeners().broker());
        all.addAll(config.listeners().controller());
        for (Listener listener : all) {
            require(
                    listener.protocol() == SecurityProtocol.PLAINTEXT,
                    "listeners",
                    listener.toString(),
                    "its protocol "
                            + listener.protocol()
                            + " is not there yet, it would serve in"
                            + " plain text",
                    "map " + listener.name() + " to PLAINTEXT, or keep this node on Apache Kafka");
        }
        require(
                config.getString("authorizer.class.name").isBlank(),
                "authorizer.class.name",
                config.getString("authorizer.class.name"),
                "Oxbow does not authorize requests yet, everybody could do everything",
                "remove it if that is meant, or keep this node on Apache Kafka");
    }

    private static void refusePlugins(BrokerConfig config) {
        for (String key :
                List.of(
                        "create.topic.policy.class.name",
                        "alter.config.policy.class.name",
                        "client.quota.callback.class")) {
            require(
                    config.getClass(key) == null,
                    key,
                    config.written().get(key),
                    "Oxbow does not run this plug-in yet, what it forbids would be allowed",
                    "remove it if that is meant");
        }
        require(
                isDefault(config, "principal.builder.class"),
                "principal.builder.class",
                config.written().get("principal.builder.class"),
                "Oxbow does not run this plug-in yet, clients would be known by other names",
                "remove it");
    }

    /** What an operator should know once at start. */
    static List<String> warnings(BrokerConfig config) {
        List<String> warnings = new ArrayList<>();
        Set<String> idle = new TreeSet<>();
        Set<String> unknown = new TreeSet<>();
        for (String key : config.written().keySet()) {
            if (hasNoEffect(key)) {
                if (!isDefault(config, key)) idle.add(key);
            } else if (!BrokerConfig.DEFINITION.names().contains(key)) {
                unknown.add(key);
            }
        }
        List<String> ignored = new ArrayList<>();
        if (!idle.isEmpty())
            ignored.add("keys without effect in Oxbow: " + String.join(", ", idle));
        if (!unknown.isEmpty()) {
            ignored.add("unknown keys (check their spelling): " + String.join(", ", unknown));
        }
        if (!ignored.isEmpty()) warnings.add("Ignoring " + String.join("; ", ignored));
        if (config.minInSyncReplicas() > config.defaultReplicationFactor()) {
            warnings.add(
                    "min.insync.replicas="
                            + config.minInSyncReplicas()
                            + " is more than default.replication.factor="
                            + config.defaultReplicationFactor()
                            + ": topics made with defaults will refuse acks=all");
        }
        return List.copyOf(warnings);
    }

    /** Whether Oxbow does nothing with a key of Kafka's. */
    static boolean hasNoEffect(String key) {
        return WITHOUT_EFFECT.contains(key)
                || WITHOUT_EFFECT_PREFIXES.stream().anyMatch(key::startsWith);
    }

    private static boolean isDefault(BrokerConfig config, String key) {
        Map<String, ConfigDef.ConfigKey> keys = BrokerConfig.DEFINITION.configKeys();
        return keys.containsKey(key)
                && Objects.equals(config.values().get(key), keys.get(key).defaultValue);
    }

    private static void require(
            boolean holds, String key, String value, String wrong, String mend) {
        if (!holds) throw new ConfigProblem(key, value, wrong, mend);
    }
}
