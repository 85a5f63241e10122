// SPDX-License-Identifier: Apache-2.0
package io.oxbow.controller;

import io.oxbow.controller.decide.ConfigRules;
import io.oxbow.controller.decide.Refusal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.CreateTopicsResponseData.CreatableTopicConfigs;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.image.MetadataImage;

/** A small catalogue: a few topic keys with defaults, numbers checked, unknown keys refused. */
public final class SimConfigRules implements ConfigRules {
    private static final Map<String, String> DEFAULTS =
            new TreeMap<>(
                    Map.of(
                            "cleanup.policy", "delete",
                            "retention.ms", "604800000",
                            "segment.bytes", "1073741824",
                            "leader.replication.throttled.replicas", "",
                            "min.insync.replicas", "1",
                            "unclean.leader.election.enable", "false"));

    @Override
    public Optional<Refusal> check(
            ConfigResource resource, Map<String, String> proposed, List<String> changed) {
        if (resource.type() != ConfigResource.Type.TOPIC) return Optional.empty();
        for (String key : changed) {
            if (!DEFAULTS.containsKey(key)) {
                return Optional.of(new Refusal(Errors.INVALID_CONFIG, "unknown " + key));
            }
            if (key.equals("retention.ms") && !proposed.get(key).matches("-?\\d+")) {
                return Optional.of(new Refusal(Errors.INVALID_CONFIG, "not a number: " + key));
            }
        }
        return Optional.empty();
    }

    @Override
    public boolean isList(ConfigResource.Type type, String key) {
        return key.equals("cleanup.policy");
    }

    @Override
    public String effective(MetadataImage image, ConfigResource resource, String key) {
        String own = image.configs().configMapForResource(resource).get(key);
        if (own != null) return own;
        ConfigResource all = new ConfigResource(ConfigResource.Type.BROKER, "");
        String common = image.configs().configMapForResource(all).get(key);
        return common != null ? common : DEFAULTS.get(key);
    }

    @Override
    public List<CreatableTopicConfigs> describeTopic(
            MetadataImage image, Map<String, String> overrides) {
        Map<String, String> all = new TreeMap<>(DEFAULTS);
        all.putAll(overrides);
        return all.entrySet().stream()
                .map(
                        entry ->
                                new CreatableTopicConfigs()
                                        .setName(entry.getKey())
                                        .setValue(entry.getValue()))
                .toList();
    }
}
