// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.broker;

import io.oxbow.metadata.ImageSource;
import io.oxbow.replication.TopicConfigs;
import io.oxbow.server.config.BrokerConfig;
import io.oxbow.server.config.DynamicValues;
import io.oxbow.server.config.LogSettingsFactory;
import java.util.Map;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.image.ConfigurationsImage;
import org.apache.kafka.image.MetadataImage;

/**
 * The broker's configuration with what was set at run time: a function of the file and an image.
 * The last result is kept, since images that change it are rare. Any thread.
 */
final class LiveConfig implements TopicConfigs {
    private record Resolved(ConfigurationsImage from, DynamicValues dynamic, BrokerConfig config) {}

    private final BrokerConfig file;
    private final ImageSource images;

    /** Written by whoever finds it out of date; the same image gives the same value. */
    private volatile Resolved last;

    LiveConfig(BrokerConfig file, ImageSource images) {
        this.file = file;
        this.images = images;
        this.last = new Resolved(ConfigurationsImage.EMPTY, DynamicValues.NONE, file);
    }

    /** As of the latest image. */
    BrokerConfig current() {
        return of(images.image());
    }

    /** As of an image. */
    // The same configurations are the same object in following images.
    @SuppressWarnings("ReferenceEquality")
    BrokerConfig of(MetadataImage image) {
        Resolved known = last;
        if (known.from() == image.configs()) return known.config();
        DynamicValues dynamic = dynamic(image, file.nodeId());
        BrokerConfig config =
                dynamic.equals(known.dynamic()) ? known.config() : file.reconfigured(dynamic);
        last = new Resolved(image.configs(), dynamic, config);
        return config;
    }

    @Override
    public TopicConfig of(MetadataImage image, String topic) {
        BrokerConfig broker = of(image);
        Map<String, String> own =
                image.configs()
                        .configMapForResource(new ConfigResource(ConfigResource.Type.TOPIC, topic));
        return new TopicConfig(LogSettingsFactory.settings(broker, own), minInSync(broker, own));
    }

    private static int minInSync(BrokerConfig broker, Map<String, String> own) {
        String value = own.get("min.insync.replicas");
        return value == null
                ? broker.getInt("min.insync.replicas")
                : Integer.parseInt(value.strip());
    }

    static DynamicValues dynamic(MetadataImage image, int nodeId) {
        ConfigurationsImage configs = image.configs();
        return new DynamicValues(
                configs.configMapForResource(new ConfigResource(ConfigResource.Type.BROKER, "")),
                configs.configMapForResource(
                        new ConfigResource(ConfigResource.Type.BROKER, Integer.toString(nodeId))));
    }
}
