// SPDX-License-Identifier: Apache-2.0
package io.oxbow.controller.decide;

import java.util.Map;
import org.apache.kafka.metadata.VersionRange;
import org.apache.kafka.metadata.bootstrap.BootstrapMetadata;

/**
 * The controller's settings, read once at start. Kafka's property names in brackets.
 *
 * @param nodeId this node [node.id]
 * @param clusterId the cluster that brokers must name when they register
 * @param bootstrap what an empty log begins with (bootstrap.checkpoint)
 * @param features the levels that this node can run, by feature
 * @param topics what new topics get, and what may be done to topics
 * @param timing intervals and time-outs
 */
public record ControllerConfig(
        int nodeId,
        String clusterId,
        BootstrapMetadata bootstrap,
        Map<String, VersionRange> features,
        Topics topics,
        Timing timing) {

    /**
     * What holds for topics; the first three for those that do not say.
     *
     * @param partitions [num.partitions], 1 or more
     * @param replicationFactor [default.replication.factor], 1 or more
     * @param minIsr [min.insync.replicas] of this node's file; written down for the cluster when
     *     eligible leader replicas are switched on
     * @param mayBeDeleted [delete.topic.enable]
     */
    public record Topics(
            int partitions, short replicationFactor, int minIsr, boolean mayBeDeleted) {}

    /**
     * Milliseconds.
     *
     * @param sessionTimeoutMs [broker.session.timeout.ms] without a heartbeat, then a broker is
     *     fenced
     * @param maxIdleMs [metadata.max.idle.interval.ms] between records; 0 writes none of its own
     * @param balanceIntervalMs [leader.imbalance.check.interval.seconds] between checks for
     *     partitions that their preferred replica does not lead; 0 for never
     *     [auto.leader.rebalance.enable=false]
     * @param uncleanIntervalMs [unclean.leader.election.interval.ms] between checks for partitions
     *     without a leader that may have an unclean one
     */
    public record Timing(
            long sessionTimeoutMs, long maxIdleMs, long balanceIntervalMs, long uncleanIntervalMs) {
        /** Kafka's defaults. */
        public static final Timing DEFAULT = new Timing(9_000, 500, 300_000, 300_000);

        /** How often the controller looks at its clock. */
        public long tickMs() {
            long idle = maxIdleMs == 0 ? Long.MAX_VALUE : maxIdleMs / 2;
            return Math.clamp(Math.min(idle, sessionTimeoutMs / 8), 10, 1_000);
        }
    }

    public ControllerConfig {
        features = Map.copyOf(features);
    }
}
