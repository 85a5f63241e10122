// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.broker;

import io.oxbow.controller.decide.ConfigRules;
import io.oxbow.controller.decide.Refusal;
import io.oxbow.server.config.BrokerConfig;
import io.oxbow.server.config.ConfigCatalog;
import io.oxbow.server.config.ConfigCatalog.Selection;
import io.oxbow.server.config.ConfigChanges;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.CreateTopicsResponseData.CreatableTopicConfigs;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsResourceResult;
import org.apache.kafka.common.requests.ApiError;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.server.config.AbstractKafkaConfig;
import org.apache.kafka.server.config.ServerTopicConfigSynonyms;
import org.apache.kafka.storage.internals.log.LogConfig;

/** The controller's questions about configurations, answered by the server's catalogue of keys. */
final class CatalogConfigRules implements ConfigRules {
    private final LiveConfig live;
    private final int nodeId;
    private final ConfigCatalog catalog;
    private final ConfigChanges changes;

    CatalogConfigRules(BrokerConfig file, LiveConfig live) {
        this.live = live;
        this.nodeId = file.nodeId();
        this.catalog = new ConfigCatalog(file);
        this.changes = new ConfigChanges(file);
    }

    @Override
    public Optional<Refusal> check(
            ConfigResource resource, Map<String, String> proposed, List<String> changed) {
        Map<String, String> before = new HashMap<>(proposed);
        changed.forEach(before::remove);
        ApiError error = changes.check(resource, before, proposed);
        return error.isFailure()
                ? Optional.of(new Refusal(error.error(), error.messageWithFallback()))
                : Optional.empty();
    }

    @Override
    public boolean isList(ConfigResource.Type type, String key) {
        Optional<ConfigDef.Type> known =
                switch (type) {
                    case TOPIC -> LogConfig.configType(key);
                    case BROKER -> brokerType(key);
                    // Their lists are written by the controller's own rules for these kinds.
                    case GROUP, CLIENT_METRICS, BROKER_LOGGER, UNKNOWN -> Optional.empty();
                };
        return known.isPresent() && known.get() == ConfigDef.Type.LIST;
    }

    private static Optional<ConfigDef.Type> brokerType(String key) {
        ConfigDef.ConfigKey known = AbstractKafkaConfig.CONFIG_DEF.configKeys().get(key);
        return known == null ? Optional.empty() : Optional.of(known.type);
    }

    @Override
    public String effective(MetadataImage image, ConfigResource resource, String key) {
        String own = image.configs().configMapForResource(resource).get(key);
        if (own != null) return own;
        return switch (resource.type()) {
            case TOPIC -> inheritedByTopic(image, key);
            case BROKER -> brokerValue(live.of(image), key);
            case GROUP, CLIENT_METRICS, BROKER_LOGGER, UNKNOWN -> null;
        };
    }

    /** Straight from the broker where the key has one synonym; else by the catalogue. */
    private String inheritedByTopic(MetadataImage image, String key) {
        boolean derived =
                key.endsWith(".ms"); // given in hours or minutes too, the catalogue knows how
        String synonym = ServerTopicConfigSynonyms.TOPIC_CONFIG_SYNONYMS.get(key);
        if (synonym != null && !derived) return brokerValue(live.of(image), synonym);
        List<DescribeConfigsResourceResult> found =
                catalog.topic(
                        LiveConfig.dynamic(image, nodeId),
                        Map.of(),
                        new Selection(Set.of(key), false, false));
        return found.isEmpty() ? null : found.getFirst().value();
    }

    private static String brokerValue(BrokerConfig config, String key) {
        ConfigDef.ConfigKey known = AbstractKafkaConfig.CONFIG_DEF.configKeys().get(key);
        if (known == null) return config.written().get(key);
        return ConfigDef.convertToString(config.values().get(key), known.type);
    }

    @Override
    public List<CreatableTopicConfigs> describeTopic(
            MetadataImage image, Map<String, String> overrides) {
        return catalog
                .topic(
                        LiveConfig.dynamic(image, nodeId),
                        overrides,
                        new Selection(Set.of(), false, false))
                .stream()
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
}
