// SPDX-License-Identifier: Apache-2.0
package io.oxbow.storage.dir;

import java.util.List;
import java.util.Map;
import org.apache.kafka.common.Uuid;

/**
 * The identity of a log directory, as {@code meta.properties} holds it. Immutable.
 *
 * @param version 1; 0 is read and becomes 1 when it is written again
 * @param clusterId {@code cluster.id}, null if missing
 * @param nodeId {@code node.id}, -1 if missing
 * @param directoryId {@code directory.id}, null if missing
 * @param directoryIds {@code directory.ids}: ids of all of the broker's directories when they were
 *     last all online (KIP-858 draft; Kafka ignores it); empty if missing
 * @param others keys that we do not know, kept as they are
 */
public record MetaProperties(
        int version,
        String clusterId,
        int nodeId,
        Uuid directoryId,
        List<Uuid> directoryIds,
        Map<String, String> others) {

    /** Name of the file in each log directory. */
    public static final String FILE_NAME = "meta.properties";

    public MetaProperties {
        directoryIds = List.copyOf(directoryIds);
        others = Map.copyOf(others);
    }

    /** The identity of a directory that is formatted now. */
    public static MetaProperties fresh(String clusterId, int nodeId, Uuid directoryId) {
        return new MetaProperties(1, clusterId, nodeId, directoryId, List.of(), Map.of());
    }

    /** Version 1 with these values and the unknown keys of this one. */
    public MetaProperties with(
            String cluster, int node, Uuid directory, List<Uuid> allDirectories) {
        return new MetaProperties(1, cluster, node, directory, allDirectories, others);
    }
}
