// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.admin;

import io.oxbow.server.api.ApiHandler;
import io.oxbow.server.api.Request;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterConfigsResource;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterableConfig;
import org.apache.kafka.common.message.IncrementalAlterConfigsResponseData;
import org.apache.kafka.common.message.IncrementalAlterConfigsResponseData.AlterConfigsResourceResponse;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiError;

/**
 * IncrementalAlterConfigs (key 44): log levels are this broker's own; the rest is the controller's,
 * which checks and stores it. Each resource has its own answer, so that one at fault spoils no
 * other.
 */
public final class IncrementalAlterConfigsHandler implements ApiHandler {
    private final Forwarding forwarding;
    private final LoggerChanges loggers;

    public IncrementalAlterConfigsHandler(
            int nodeId, Forwarding forwarding, LoggerLevels loggerLevels) {
        this.forwarding = forwarding;
        this.loggers = new LoggerChanges(nodeId, loggerLevels);
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.INCREMENTAL_ALTER_CONFIGS;
    }

    @Override
    public void handle(Request request) {
        IncrementalAlterConfigsRequestData body =
                (IncrementalAlterConfigsRequestData) request.body();
        Map<ConfigResource, ApiError> settled = settleHere(body);
        IncrementalAlterConfigsRequestData rest =
                new IncrementalAlterConfigsRequestData().setValidateOnly(body.validateOnly());
        for (AlterConfigsResource resource : body.resources()) {
            if (!settled.containsKey(id(resource))) rest.resources().add(resource.duplicate());
        }
        if (rest.resources().isEmpty()) {
            request.reply(answer(settled, List.of()));
            return;
        }
        Forwarding.answer(
                request,
                forwarding.send(request, rest),
                message -> {
                    var answer = (IncrementalAlterConfigsResponseData) message;
                    return answer(settled, answer.responses());
                });
    }

    /** What needs no controller: log levels, and what cannot be right in any case. */
    private Map<ConfigResource, ApiError> settleHere(IncrementalAlterConfigsRequestData body) {
        Map<ConfigResource, ApiError> settled = new HashMap<>();
        Set<ConfigResource> repeated = repeated(body);
        for (AlterConfigsResource resource : body.resources()) {
            ConfigResource id = id(resource);
            ApiError error =
                    repeated.contains(id)
                            ? new ApiError(
                                    Errors.INVALID_REQUEST,
                                    "Each resource must appear at most once.")
                            : withoutNulls(resource);
            if (error.isFailure()) {
                settled.put(id, error);
            } else if (id.type() == ConfigResource.Type.BROKER_LOGGER) {
                settled.put(
                        id,
                        loggers.apply(
                                resource.resourceName(), resource.configs(), body.validateOnly()));
            }
        }
        return settled;
    }

    private static Set<ConfigResource> repeated(IncrementalAlterConfigsRequestData body) {
        Set<ConfigResource> seen = new HashSet<>();
        Set<ConfigResource> repeated = new HashSet<>();
        for (AlterConfigsResource resource : body.resources()) {
            if (!seen.add(id(resource))) repeated.add(id(resource));
        }
        return repeated;
    }

    private static ApiError withoutNulls(AlterConfigsResource resource) {
        String nulls =
                resource.configs().stream()
                        .filter(each -> each.value() == null)
                        .filter(each -> each.configOperation() != OpType.DELETE.id())
                        .map(AlterableConfig::name)
                        .collect(Collectors.joining(","));
        return nulls.isEmpty()
                ? ApiError.NONE
                : new ApiError(Errors.INVALID_REQUEST, "Null value not supported for : " + nulls);
    }

    private static IncrementalAlterConfigsResponseData answer(
            Map<ConfigResource, ApiError> settled, List<AlterConfigsResourceResponse> others) {
        IncrementalAlterConfigsResponseData answer = new IncrementalAlterConfigsResponseData();
        settled.forEach(
                (id, error) ->
                        answer.responses()
                                .add(
                                        new AlterConfigsResourceResponse()
                                                .setResourceType(id.type().id())
                                                .setResourceName(id.name())
                                                .setErrorCode(error.error().code())
                                                .setErrorMessage(error.message())));
        answer.responses().addAll(others);
        return answer;
    }

    private static ConfigResource id(AlterConfigsResource resource) {
        return new ConfigResource(
                ConfigResource.Type.forId(resource.resourceType()), resource.resourceName());
    }
}
