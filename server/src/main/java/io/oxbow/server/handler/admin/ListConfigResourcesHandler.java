// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.admin;

import io.oxbow.metadata.ImageSource;
import io.oxbow.server.api.ApiHandler;
import io.oxbow.server.api.Request;
import java.util.HashSet;
import java.util.Set;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.ListConfigResourcesRequestData;
import org.apache.kafka.common.message.ListConfigResourcesResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.image.MetadataImage;

/**
 * ListConfigResources (key 74): which resources can be described. Topics and brokers exist by
 * themselves, the others by having a configuration. Version 0 knows client metrics only.
 */
public final class ListConfigResourcesHandler implements ApiHandler {
    private static final Set<ConfigResource.Type> SUPPORTED =
            Set.of(
                    ConfigResource.Type.TOPIC,
                    ConfigResource.Type.BROKER,
                    ConfigResource.Type.BROKER_LOGGER,
                    ConfigResource.Type.CLIENT_METRICS,
                    ConfigResource.Type.GROUP);

    private final ImageSource images;

    public ListConfigResourcesHandler(ImageSource images) {
        this.images = images;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.LIST_CONFIG_RESOURCES;
    }

    @Override
    public void handle(Request request) {
        Set<ConfigResource.Type> wanted = wanted(request);
        if (!SUPPORTED.containsAll(wanted)) {
            request.fail(
                    Errors.UNSUPPORTED_VERSION, "A resource type that is asked for is not known.");
            return;
        }
        ListConfigResourcesResponseData answer = new ListConfigResourcesResponseData();
        MetadataImage image = images.image();
        if (wanted.contains(ConfigResource.Type.TOPIC)) {
            image.topics()
                    .topicsByName()
                    .keySet()
                    .forEach(name -> add(answer, ConfigResource.Type.TOPIC, name));
        }
        for (int broker : image.cluster().brokers().keySet()) {
            String name = Integer.toString(broker);
            if (wanted.contains(ConfigResource.Type.BROKER))
                add(answer, ConfigResource.Type.BROKER, name);
            if (wanted.contains(ConfigResource.Type.BROKER_LOGGER))
                add(answer, ConfigResource.Type.BROKER_LOGGER, name);
        }
        for (ConfigResource resource : image.configs().resourceData().keySet()) {
            boolean byConfig =
                    resource.type() == ConfigResource.Type.CLIENT_METRICS
                            || resource.type() == ConfigResource.Type.GROUP;
            if (byConfig && wanted.contains(resource.type())) {
                add(answer, resource.type(), resource.name());
            }
        }
        request.reply(answer);
    }

    private static Set<ConfigResource.Type> wanted(Request request) {
        if (request.header().apiVersion() == 0) return Set.of(ConfigResource.Type.CLIENT_METRICS);
        var types = ((ListConfigResourcesRequestData) request.body()).resourceTypes();
        if (types.isEmpty()) return SUPPORTED;
        Set<ConfigResource.Type> wanted = new HashSet<>();
        for (byte type : types) wanted.add(ConfigResource.Type.forId(type));
        return wanted;
    }

    private static void add(
            ListConfigResourcesResponseData answer, ConfigResource.Type type, String name) {
        answer.configResources()
                .add(
                        new ListConfigResourcesResponseData.ConfigResource()
                                .setResourceType(type.id())
                                .setResourceName(name));
    }
}
