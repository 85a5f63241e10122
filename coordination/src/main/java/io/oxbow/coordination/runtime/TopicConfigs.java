// SPDX-License-Identifier: Apache-2.0
package io.oxbow.coordination.runtime;

import io.oxbow.metadata.ImageSource;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.storage.internals.log.LogConfig;

/**
 * A topic's configuration in the library's form, of which coordinators read the largest batch size.
 * Parsed again only when the topic's own settings have changed. Any thread.
 */
public final class TopicConfigs implements Function<String, LogConfig> {
    private record Parsed(Map<String, String> overrides, LogConfig config) {}

    private final ImageSource images;
    private final int brokerMaxMessageBytes;

    // Concurrent map: filled by the coordinators' threads.
    private final ConcurrentHashMap<String, Parsed> parsed = new ConcurrentHashMap<>();

    /**
     * @param brokerMaxMessageBytes {@code message.max.bytes}
     */
    public TopicConfigs(ImageSource images, int brokerMaxMessageBytes) {
        this.images = images;
        this.brokerMaxMessageBytes = brokerMaxMessageBytes;
    }

    @Override
    public LogConfig apply(String topic) {
        Map<String, String> overrides =
                images.image()
                        .configs()
                        .configMapForResource(new ConfigResource(ConfigResource.Type.TOPIC, topic));
        Parsed known = parsed.get(topic);
        if (known == null || !known.overrides().equals(overrides)) {
            known = new Parsed(overrides, parse(overrides));
            parsed.put(topic, known);
        }
        return known.config();
    }

    private LogConfig parse(Map<String, String> overrides) {
        Map<String, Object> properties = new HashMap<>();
        properties.put(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, brokerMaxMessageBytes);
        properties.putAll(overrides);
        return new LogConfig(properties);
    }
}
