// SPDX-License-Identifier: Apache-2.0
package io.oxbow.controller.decide;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.CreateTopicsResponseData.CreatableTopicConfigs;
import org.apache.kafka.image.MetadataImage;

/**
 * What the controller must know of configurations: a port, given by the server's catalogue of keys.
 * Pure functions; called on the controller's thread, so they must not block.
 */
public interface ConfigRules {

    /**
     * Says why a resource may not have these configurations.
     *
     * @param resource a topic, broker (name "" for the cluster's default), client-metrics
     *     subscription or group
     * @param proposed all configurations that the resource would have afterwards
     * @param changed the keys that this request sets; the others were accepted before
     */
    Optional<Refusal> check(
            ConfigResource resource, Map<String, String> proposed, List<String> changed);

    /** True if the key's value is a list, to which a value may be appended. */
    boolean isList(ConfigResource.Type type, String key);

    /**
     * The value that holds for a resource: its own, else what it inherits (the cluster's default
     * under the key's synonyms, the node's file, the built-in default); null for an unknown key.
     */
    String effective(MetadataImage image, ConfigResource resource, String key);

    /**
     * All configurations that a new topic has, as the reply to CreateTopics lists them.
     *
     * @param overrides what the request sets
     */
    List<CreatableTopicConfigs> describeTopic(MetadataImage image, Map<String, String> overrides);
}
