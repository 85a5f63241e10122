// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.config;

import io.oxbow.controller.decide.ConfigRules;
import io.oxbow.controller.decide.Refusal;
import io.oxbow.server.config.ConfigCatalog.Selection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.CreateTopicsResponseData.CreatableTopicConfigs;
import org.apache.kafka.common.requests.ApiError;
import org.apache.kafka.coordinator.group.GroupConfig;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.server.metrics.ClientMetricsConfigs;
import org.apache.kafka.storage.internals.log.LogConfig;

/**
 * What the controller must know of configurations, from this node's file and the image: {@link
 * ConfigChanges} judges, {@link ConfigCatalog} describes. No state but the catalogue's memory of
 * the last dynamic values; never blocks.
 */
public final class CatalogRules implements ConfigRules {
    private final BrokerConfig broker;
    private final ConfigCatalog catalog;
    private final ConfigChanges changes;

    /**
     * Rules by this node's configuration.
     *
     * @param broker as in the file, without dynamic values
     */
    public CatalogRules(BrokerConfig broker) {
        this.broker = broker;
        this.catalog = new ConfigCatalog(broker);
        this.changes = new ConfigChanges(broker);
    }

    @Override
    public Optional<Refusal> check(
            ConfigResource resource, Map<String, String> proposed, List<String> changed) {
        Map<String, String> before = new HashMap<>(proposed);
        changed.forEach(before::remove);
        ApiError answer = changes.check(resource, before, proposed);
        return answer.isFailure()
                ? Optional.of(new Refusal(answer.error(), answer.messageWithFallback()))
                : Optional.empty();
    }

    @Override
    public boolean isList(ConfigResource.Type type, String key) {
        Optional<ConfigDef.Type> known =
                switch (type) {
                    case TOPIC -> LogConfig.configType(key);
                    case BROKER -> BrokerConfig.keyType(key);
                    case GROUP -> GroupConfig.configType(key);
                    case CLIENT_METRICS -> ClientMetricsConfigs.configType(key);
                    default -> Optional.empty();
                };
        return known.filter(ConfigDef.Type.LIST::equals).isPresent();
    }

    @Override
    public String effective(MetadataImage image, ConfigResource resource, String key) {
        Map<String, String> own = image.configs().configMapForResource(resource);
        if (own.containsKey(key)) return own.get(key);
        return switch (resource.type()) {
            case TOPIC -> catalog.topicDefault(dynamic(image), key);
            case BROKER ->
                    catalog.brokerValue(new DynamicValues(dynamic(image).clusterWide(), own), key);
            case GROUP ->
                    GroupConfig.brokerSynonym(key)
                            .map(synonym -> catalog.brokerValue(dynamic(image), synonym))
                            .orElse(null);
            default -> null;
        };
    }

    @Override
    public List<CreatableTopicConfigs> describeTopic(
            MetadataImage image, Map<String, String> overrides) {
        Selection all = new Selection(Set.of(), false, false);
        return catalog.topic(dynamic(image), overrides, all).stream()
                .map(
                        entry ->
                                new CreatableTopicConfigs()
                                        .setName(entry.name())
                                        .setValue(entry.value())
                                        .setReadOnly(entry.readOnly())
                                        .setConfigSource(entry.configSource())
                                        .setIsSensitive(entry.isSensitive()))
                .toList();
    }

    private DynamicValues dynamic(MetadataImage image) {
        return DynamicValues.of(image.configs(), broker.nodeId());
    }
}
