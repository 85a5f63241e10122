// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.config;

import java.util.Map;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.image.ConfigurationsImage;

/**
 * Broker configuration set at run time, as the metadata image has it.
 *
 * @param clusterWide of the resource "" (all brokers)
 * @param ofBroker of this broker; wins
 */
public record DynamicValues(Map<String, String> clusterWide, Map<String, String> ofBroker) {

    public static final DynamicValues NONE = new DynamicValues(Map.of(), Map.of());

    public DynamicValues {
        clusterWide = Map.copyOf(clusterWide);
        ofBroker = Map.copyOf(ofBroker);
    }

    /** What an image says for the node {@code nodeId}. */
    public static DynamicValues of(ConfigurationsImage configs, int nodeId) {
        return new DynamicValues(
                configs.configMapForResource(resource("")),
                configs.configMapForResource(resource(Integer.toString(nodeId))));
    }

    private static ConfigResource resource(String name) {
        return new ConfigResource(ConfigResource.Type.BROKER, name);
    }

    public boolean isEmpty() {
        return clusterWide.isEmpty() && ofBroker.isEmpty();
    }
}
