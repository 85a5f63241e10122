// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.config;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import org.apache.kafka.coordinator.group.GroupCoordinatorConfig;
import org.apache.kafka.raft.QuorumConfig;

/**
 * What must hold between keys, where one key's type and bounds say nothing: the rules that Apache
 * Kafka 4.4 has at start. Pure.
 */
final class StartRules {
    private static final String ROLES = "process.roles";
    private static final String VOTERS = "controller.quorum.voters";
    private static final String BOOTSTRAP = "controller.quorum.bootstrap.servers";

    private StartRules() {}

    /** What must be there at all; said in our words before Kafka's definitions see the values. */
    static void checkPresence(Map<String, String> written) {
        boolean roles = !written.getOrDefault(ROLES, "").isBlank();
        String zooKeeper = written.get("zookeeper.connect");
        require(
                roles || zooKeeper == null,
                "zookeeper.connect",
                zooKeeper,
                "Oxbow keeps its metadata itself (KRaft), never in ZooKeeper",
                "remove the zookeeper.* keys and set process.roles=broker,controller");
        require(
                !"true".equals(written.get("zookeeper.metadata.migration.enable")),
                "zookeeper.metadata.migration.enable",
                "true",
                "Oxbow cannot migrate from ZooKeeper",
                "finish the migration with Apache Kafka 3.9, then remove the key");
        require(roles, ROLES, null, "is missing", "set process.roles=broker,controller");
        require(
                written.containsKey("node.id") || written.containsKey("broker.id"),
                "node.id",
                null,
                "is missing",
                "set a number of this node's own, e.g. node.id=1");
        String node = written.get("node.id");
        String broker = written.get("broker.id");
        require(
                node == null || broker == null || node.equals(broker),
                "broker.id",
                broker,
                "differs from node.id=" + node,
                "remove broker.id");
        require(
                !written.getOrDefault("listeners", "").isBlank(),
                "listeners",
                null,
                "is missing",
                "set listeners=PLAINTEXT://localhost:9092,CONTROLLER://localhost:9093");
        require(
                !written.getOrDefault("controller.listener.names", "").isBlank(),
                "controller.listener.names",
                null,
                "is missing",
                "set controller.listener.names=CONTROLLER and add CONTROLLER://localhost:9093 to"
                        + " listeners");
    }

    static void check(BrokerConfig config) {
        checkQuorum(config);
        checkDirectories(config);
        checkTimes(config);
        checkSizes(config);
        checkGroups(config);
    }

    private static void checkQuorum(BrokerConfig config) {
        QuorumConfig quorum = new QuorumConfig(config);
        List<String> voters = quorum.voters();
        Map<Integer, InetSocketAddress> parsed;
        try {
            parsed = QuorumConfig.parseVoterConnections(voters);
        } catch (RuntimeException malformed) {
            throw new ConfigProblem(
                    VOTERS,
                    String.join(",", voters),
                    malformed.getMessage(),
                    "write it as 1@localhost:9093");
        }
        require(
                !parsed.isEmpty() || !bootstrapServers(quorum).isEmpty(),
                VOTERS,
                null,
                "the controller quorum is not named",
                "set " + BOOTSTRAP + "=localhost:9093 (or " + VOTERS + "=1@localhost:9093)");
        require(
                parsed.isEmpty() || parsed.containsKey(config.nodeId()),
                VOTERS,
                String.join(",", voters),
                "does not name this node (node.id="
                        + config.nodeId()
                        + ") though it is a"
                        + " controller",
                "add " + config.nodeId() + "@host:port");
    }

    private static List<InetSocketAddress> bootstrapServers(QuorumConfig quorum) {
        try {
            return QuorumConfig.parseBootstrapServers(quorum.bootstrapServers());
        } catch (RuntimeException malformed) {
            throw new ConfigProblem(
                    BOOTSTRAP,
                    String.join(",", quorum.bootstrapServers()),
                    malformed.getMessage(),
                    "write it as host:port");
        }
    }

    private static void checkDirectories(BrokerConfig config) {
        require(
                !config.logDirs().isEmpty() && config.logDirs().stream().noneMatch(String::isBlank),
                "log.dirs",
                String.join(",", config.logDirs()),
                "names no directory",
                "give at least one, e.g. log.dirs=/var/lib/oxbow");
        List<String> cordoned = config.getList("cordoned.log.dirs");
        require(
                !cordoned.contains("*") || cordoned.size() == 1,
                "cordoned.log.dirs",
                String.join(",", cordoned),
                "has * beside other entries",
                "give either * or paths");
        require(
                config.directories().containsAll(config.cordonedDirectories()),
                "cordoned.log.dirs",
                String.join(",", cordoned),
                "names a directory that log.dirs does not have",
                "give paths of log.dirs: " + config.directories());
    }

    private static void checkTimes(BrokerConfig config) {
        atLeast(config, "log.roll.ms", config.logRollTimeMillis(), 1);
        atLeast(config, "log.roll.jitter.ms", config.logRollTimeJitterMillis(), 0);
        require(
                config.logRetentionTimeMillis() != 0,
                "log.retention.ms",
                "0",
                "would delete every record at once",
                "give -1 (keep) or at least 1");
        require(
                2L * config.brokerHeartbeatIntervalMs()
                        <= config.getInt("broker.session.timeout.ms"),
                "broker.heartbeat.interval.ms",
                String.valueOf(config.brokerHeartbeatIntervalMs()),
                "is more than half of broker.session.timeout.ms="
                        + config.getInt("broker.session.timeout.ms"),
                "make it at most half of the session timeout");
        require(
                config.getInt("replica.fetch.wait.max.ms")
                        <= config.getLong("replica.lag.time.max.ms"),
                "replica.fetch.wait.max.ms",
                String.valueOf(config.getInt("replica.fetch.wait.max.ms")),
                "is more than replica.lag.time.max.ms, so that followers would leave the ISR",
                "make it smaller");
        require(
                config.getInt("replica.fetch.wait.max.ms")
                        <= config.getInt("replica.socket.timeout.ms"),
                "replica.socket.timeout.ms",
                String.valueOf(config.getInt("replica.socket.timeout.ms")),
                "is less than replica.fetch.wait.max.ms",
                "make it larger");
    }

    private static void checkSizes(BrokerConfig config) {
        long perCleaner =
                config.logCleanerDedupeBufferSize() / Math.max(1, config.logCleanerThreads());
        atLeast(config, "log.cleaner.dedupe.buffer.size", perCleaner, (1 << 20) + 1);
        require(
                config.queuedMaxBytes() <= 0
                        || config.queuedMaxBytes() >= config.socketRequestMaxBytes(),
                "queued.max.request.bytes",
                String.valueOf(config.queuedMaxBytes()),
                "is less than one request may have (socket.request.max.bytes="
                        + config.socketRequestMaxBytes()
                        + ")",
                "make it larger, or -1 for no limit");
        Map<String, Integer> overrides;
        String key = "max.connections.per.ip.overrides";
        try {
            overrides = config.maxConnectionsPerIpOverrides();
        } catch (RuntimeException malformed) {
            throw new ConfigProblem(
                    key, config.getString(key), "is malformed", "write it as host:100,host2:200");
        }
        require(
                config.maxConnectionsPerIp() > 0 || !overrides.isEmpty(),
                "max.connections.per.ip",
                "0",
                "lets nobody connect",
                "make it larger, or name hosts in " + key);
    }

    private static void checkGroups(BrokerConfig config) {
        try {
            new GroupCoordinatorConfig(config).offsetTopicCompressionType();
        } catch (IllegalArgumentException contradiction) {
            throw new ConfigProblem(
                    "group.*", null, contradiction.getMessage(), "correct the keys named");
        }
    }

    private static void atLeast(BrokerConfig config, String key, long value, long least) {
        require(
                value >= least,
                key,
                config.written().getOrDefault(key, String.valueOf(value)),
                "is too small",
                "give at least " + least);
    }

    private static void require(
            boolean holds, String key, String value, String wrong, String mend) {
        if (!holds) throw new ConfigProblem(key, value, wrong, mend);
    }
}
