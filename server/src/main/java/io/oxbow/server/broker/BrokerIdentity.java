// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.broker;

import io.oxbow.server.config.Listener;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.BrokerRegistrationRequestData;
import org.apache.kafka.metadata.VersionRange;

/**
 * What a broker tells the controller of itself when it registers; does not change while the process
 * lives.
 *
 * @param incarnationId random for each process
 * @param listeners as advertised, with the ports that are really bound
 * @param features supported ranges by feature name
 * @param rack null if there is none
 * @param previousEpoch broker epoch of the last clean stop, -1 if not known (KIP-966)
 */
public record BrokerIdentity(
        int nodeId,
        String clusterId,
        Uuid incarnationId,
        List<Listener> listeners,
        Map<String, VersionRange> features,
        String rack,
        long previousEpoch) {

    /** The registration, with the directories that serve now. */
    BrokerRegistrationRequestData registration(List<Uuid> onlineDirectories, long previousEpoch) {
        BrokerRegistrationRequestData request =
                new BrokerRegistrationRequestData()
                        .setBrokerId(nodeId)
                        .setClusterId(clusterId)
                        .setIncarnationId(incarnationId)
                        .setRack(rack)
                        .setLogDirs(List.copyOf(onlineDirectories))
                        .setPreviousBrokerEpoch(previousEpoch);
        for (Listener listener : listeners) {
            request.listeners()
                    .add(
                            new BrokerRegistrationRequestData.Listener()
                                    .setName(listener.name())
                                    .setHost(listener.host())
                                    .setPort(listener.port())
                                    .setSecurityProtocol(listener.protocol().id));
        }
        features.forEach(
                (name, range) ->
                        request.features()
                                .add(
                                        new BrokerRegistrationRequestData.Feature()
                                                .setName(name)
                                                .setMinSupportedVersion(range.min())
                                                .setMaxSupportedVersion(range.max())));
        return request;
    }
}
