// SPDX-License-Identifier: Apache-2.0
package io.oxbow.metadata.raft;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.raft.MetadataLogConfig;
import org.apache.kafka.raft.QuorumConfig;

/**
 * What this node's part in the quorum needs to know.
 *
 * @param nodeId {@code node.id}
 * @param clusterId as in {@code meta.properties}
 * @param directoryId of the metadata directory, as in its {@code meta.properties}
 * @param metadataDirectory {@code metadata.log.dir}, or the first of {@code log.dirs}
 * @param controllerListeners advertised controller listeners by name, the first is the quorum's
 * @param quorum parsed {@code controller.quorum.*}
 * @param log sizes and ages of the log
 * @param snapshots when a new snapshot is due
 */
public record MetadataNodeConfig(
        int nodeId,
        String clusterId,
        Uuid directoryId,
        Path metadataDirectory,
        Map<String, InetSocketAddress> controllerListeners,
        QuorumConfig quorum,
        MetadataLogLimits log,
        SnapshotPace snapshots) {

    /**
     * When a new snapshot is due.
     *
     * @param maxNewBytes of log since the last one
     *     (metadata.log.max.record.bytes.between.snapshots)
     * @param maxIntervalMs since the last one, 0 for never (metadata.log.max.snapshot.interval.ms)
     */
    public record SnapshotPace(long maxNewBytes, long maxIntervalMs) {}

    public MetadataNodeConfig {
        controllerListeners = new LinkedHashMap<>(controllerListeners);
    }

    /**
     * Reads Kafka's keys of a node's configuration.
     *
     * @param settings a configuration that knows all of Kafka's keys
     */
    public static MetadataNodeConfig of(
            AbstractConfig settings,
            String clusterId,
            Uuid directoryId,
            Path metadataDirectory,
            Map<String, InetSocketAddress> controllerListeners) {
        MetadataLogConfig log = new MetadataLogConfig(settings);
        return new MetadataNodeConfig(
                settings.getInt("node.id"),
                clusterId,
                directoryId,
                metadataDirectory,
                controllerListeners,
                new QuorumConfig(settings),
                new MetadataLogLimits(
                        log.internalSegmentBytes() == null
                                ? log.logSegmentBytes()
                                : log.internalSegmentBytes(),
                        log.logSegmentMillis(),
                        log.retentionMaxBytes(),
                        log.retentionMillis(),
                        log.internalMaxBatchSizeInBytes(),
                        log.internalDeleteDelayMillis()),
                new SnapshotPace(
                        settings.getLong("metadata.log.max.record.bytes.between.snapshots"),
                        settings.getLong("metadata.log.max.snapshot.interval.ms")));
    }

    /** Static voters by node id ({@code controller.quorum.voters}); empty: the log knows them. */
    Map<Integer, InetSocketAddress> voters() {
        return QuorumConfig.parseVoterConnections(quorum.voters());
    }

    /** Whom an observer asks for the leader ({@code controller.quorum.bootstrap.servers}). */
    List<InetSocketAddress> bootstrapServers() {
        return QuorumConfig.parseBootstrapServers(quorum.bootstrapServers());
    }
}
