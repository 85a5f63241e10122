// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.broker;

import io.oxbow.controller.Controller;
import io.oxbow.controller.decide.ConfigRules;
import io.oxbow.controller.decide.ControllerConfig;
import io.oxbow.metadata.raft.FatalListener;
import io.oxbow.metadata.raft.MetadataNode;
import io.oxbow.server.config.BrokerConfig;
import java.util.Map;
import org.apache.kafka.controller.QuorumFeatures;
import org.apache.kafka.metadata.VersionRange;
import org.apache.kafka.metadata.bootstrap.BootstrapMetadata;

/** From the node's configuration to a running controller. */
final class ControllerStart {
    private ControllerStart() {}

    static Controller start(
            BrokerConfig config,
            Machine machine,
            MetadataNode metadata,
            String clusterId,
            ConfigRules rules,
            FatalListener fatal) {
        return Controller.start(
                settings(config, clusterId),
                metadata.raft(),
                rules,
                new Controller.Surroundings(
                        machine.clock(),
                        machine.scheduler(),
                        machine.threads(),
                        machine.random(),
                        failure -> fatal.fatal("the controller cannot go on", failure)));
    }

    private static ControllerConfig settings(BrokerConfig config, String clusterId) {
        boolean balance = config.getBoolean("auto.leader.rebalance.enable");
        return new ControllerConfig(
                config.nodeId(),
                clusterId,
                BootstrapMetadata.fromDirectory(config.metadataDirectory()),
                features(config),
                new ControllerConfig.Topics(
                        config.getInt("num.partitions"),
                        config.getInt("default.replication.factor").shortValue(),
                        config.getInt("min.insync.replicas"),
                        config.getBoolean("delete.topic.enable")),
                new ControllerConfig.Timing(
                        config.getInt("broker.session.timeout.ms"),
                        config.getInt("metadata.max.idle.interval.ms"),
                        balance
                                ? config.getLong("leader.imbalance.check.interval.seconds") * 1_000
                                : 0,
                        config.getLong("unclean.leader.election.interval.ms")));
    }

    /** Feature levels that this node can run: those of Apache Kafka's release. */
    static Map<String, VersionRange> features(BrokerConfig config) {
        return QuorumFeatures.defaultSupportedFeatureMap(
                config.getBoolean("unstable.feature.versions.enable"));
    }
}
