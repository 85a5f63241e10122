// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.config;

import java.util.Map;

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

    public boolean isEmpty() {
        return clusterWide.isEmpty() && ofBroker.isEmpty();
    }
}
