// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.admin;

import io.oxbow.metadata.ImageSource;
import io.oxbow.server.api.ApiHandler;
import io.oxbow.server.api.Request;
import io.oxbow.server.config.ConfigCatalog;
import io.oxbow.server.config.ConfigCatalog.Selection;
import io.oxbow.server.config.DynamicValues;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.message.DescribeConfigsRequestData;
import org.apache.kafka.common.message.DescribeConfigsRequestData.DescribeConfigsResource;
import org.apache.kafka.common.message.DescribeConfigsResponseData;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsResourceResult;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsResult;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.DescribeConfigsResponse.ConfigSource;
import org.apache.kafka.common.requests.DescribeConfigsResponse.ConfigType;
import org.apache.kafka.image.MetadataImage;

/**
 * DescribeConfigs (key 32): every key of topics, of this broker, of all brokers, of its loggers;
 * what groups and client metrics have set. Each resource has its own error.
 */
public final class DescribeConfigsHandler implements ApiHandler {
    private final int nodeId;
    private final ImageSource images;
    private final ConfigCatalog catalog;
    private final LoggerLevels loggers;

    public DescribeConfigsHandler(
            int nodeId, ImageSource images, ConfigCatalog catalog, LoggerLevels loggers) {
        this.nodeId = nodeId;
        this.images = images;
        this.catalog = catalog;
        this.loggers = loggers;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.DESCRIBE_CONFIGS;
    }

    @Override
    public void handle(Request request) {
        DescribeConfigsRequestData body = (DescribeConfigsRequestData) request.body();
        MetadataImage image = images.image();
        DescribeConfigsResponseData answer = new DescribeConfigsResponseData();
        for (DescribeConfigsResource resource : body.resources()) {
            Set<String> names =
                    resource.configurationKeys() == null
                            ? Set.of()
                            : Set.copyOf(resource.configurationKeys());
            Selection selection =
                    new Selection(names, body.includeSynonyms(), body.includeDocumentation());
            answer.results().add(describe(image, resource, selection));
        }
        request.reply(answer);
    }

    private DescribeConfigsResult describe(
            MetadataImage image, DescribeConfigsResource resource, Selection selection) {
        DescribeConfigsResult result =
                new DescribeConfigsResult()
                        .setResourceType(resource.resourceType())
                        .setResourceName(resource.resourceName());
        String name = resource.resourceName();
        switch (ConfigResource.Type.forId(resource.resourceType())) {
            case TOPIC -> topic(image, name, selection, result);
            case BROKER -> broker(image, name, selection, result);
            case BROKER_LOGGER -> loggers(name, selection, result);
            case CLIENT_METRICS -> set(image, ConfigResource.Type.CLIENT_METRICS, name, result);
            case GROUP -> set(image, ConfigResource.Type.GROUP, name, result);
            case UNKNOWN ->
                    refuse(result, Errors.INVALID_REQUEST, "Unsupported resource type: UNKNOWN");
        }
        return result;
    }

    private void topic(
            MetadataImage image, String name, Selection selection, DescribeConfigsResult result) {
        try {
            Topic.validate(name);
        } catch (InvalidTopicException invalid) {
            refuse(result, Errors.INVALID_TOPIC_EXCEPTION, invalid.getMessage());
            return;
        }
        if (image.topics().getTopic(name) == null) {
            refuse(result, Errors.UNKNOWN_TOPIC_OR_PARTITION, null);
            return;
        }
        Map<String, String> own = values(image, ConfigResource.Type.TOPIC, name);
        result.setConfigs(catalog.topic(dynamic(image), own, selection));
    }

    private void broker(
            MetadataImage image, String name, Selection selection, DescribeConfigsResult result) {
        if (name == null || name.isEmpty()) {
            result.setConfigs(catalog.clusterWide(dynamic(image), selection));
        } else if (name.equals(Integer.toString(nodeId))) {
            result.setConfigs(catalog.broker(dynamic(image), selection));
        } else {
            refuse(
                    result,
                    Errors.INVALID_REQUEST,
                    "Unexpected broker id, expected "
                            + nodeId
                            + " or empty string, but received "
                            + name);
        }
    }

    private void loggers(String name, Selection selection, DescribeConfigsResult result) {
        if (!Integer.toString(nodeId).equals(name)) {
            refuse(
                    result,
                    Errors.INVALID_REQUEST,
                    "Unexpected broker id, expected " + nodeId + " but received " + name);
            return;
        }
        new TreeMap<>(loggers.levels())
                .forEach(
                        (logger, level) -> {
                            if (!selection.names().isEmpty() && !selection.names().contains(logger))
                                return;
                            result.configs()
                                    .add(
                                            entry(logger, level)
                                                    .setConfigSource(
                                                            ConfigSource
                                                                    .DYNAMIC_BROKER_LOGGER_CONFIG
                                                                    .id()));
                        });
    }

    /** Only what was set: the defaults of these kinds are not the broker's to tell. */
    private void set(
            MetadataImage image,
            ConfigResource.Type type,
            String name,
            DescribeConfigsResult result) {
        if (name == null || name.isEmpty()) {
            refuse(result, Errors.INVALID_REQUEST, "The name of a " + type + " must not be empty");
            return;
        }
        byte source =
                (type == ConfigResource.Type.GROUP
                                ? ConfigSource.GROUP_CONFIG
                                : ConfigSource.CLIENT_METRICS_CONFIG)
                        .id();
        values(image, type, name)
                .forEach(
                        (key, value) ->
                                result.configs().add(entry(key, value).setConfigSource(source)));
    }

    private static DescribeConfigsResourceResult entry(String name, String value) {
        return new DescribeConfigsResourceResult()
                .setName(name)
                .setValue(value)
                .setConfigType(ConfigType.STRING.id())
                .setIsSensitive(false)
                .setReadOnly(false)
                .setSynonyms(List.of());
    }

    private DynamicValues dynamic(MetadataImage image) {
        return new DynamicValues(
                values(image, ConfigResource.Type.BROKER, ""),
                values(image, ConfigResource.Type.BROKER, Integer.toString(nodeId)));
    }

    private static Map<String, String> values(
            MetadataImage image, ConfigResource.Type type, String name) {
        return image.configs().configMapForResource(new ConfigResource(type, name));
    }

    private static void refuse(DescribeConfigsResult result, Errors error, String message) {
        result.setErrorCode(error.code())
                .setErrorMessage(message == null ? error.message() : message);
    }
}
