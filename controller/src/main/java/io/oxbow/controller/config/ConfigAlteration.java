// SPDX-License-Identifier: Apache-2.0
package io.oxbow.controller.config;

import io.oxbow.controller.decide.Decision;
import io.oxbow.controller.decide.Outcome;
import io.oxbow.controller.decide.Refusal;
import io.oxbow.controller.decide.Situation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.AlterConfigsRequestData;
import org.apache.kafka.common.message.AlterConfigsResponseData;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterableConfig;
import org.apache.kafka.common.message.IncrementalAlterConfigsResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.server.common.ApiMessageAndVersion;

/**
 * Decides IncrementalAlterConfigs and AlterConfigs. Each resource stands for itself. The older
 * request replaces all that a resource has; the newer one changes the keys that it names.
 */
public final class ConfigAlteration {
    private ConfigAlteration() {}

    /** Sets, deletes, appends to and subtracts from the named keys. */
    public static Decision<IncrementalAlterConfigsResponseData> incremental(
            Situation situation, IncrementalAlterConfigsRequestData request) {
        List<ApiMessageAndVersion> records = new ArrayList<>();
        IncrementalAlterConfigsResponseData response = new IncrementalAlterConfigsResponseData();
        Set<ConfigResource> seen = new HashSet<>();
        for (var wanted : request.resources()) {
            var result =
                    new IncrementalAlterConfigsResponseData.AlterConfigsResourceResponse()
                            .setResourceType(wanted.resourceType())
                            .setResourceName(wanted.resourceName());
            Outcome<List<ApiMessageAndVersion>> outcome =
                    change(situation, wanted.resourceType(), wanted.resourceName(), seen)
                            .then(change -> operate(change, wanted.configs()));
            switch (outcome) {
                case Outcome.Accepted<List<ApiMessageAndVersion>>(var value) ->
                        records.addAll(value);
                case Outcome.Refused<List<ApiMessageAndVersion>>(var refusal) ->
                        result.setErrorCode(refusal.code()).setErrorMessage(refusal.message());
            }
            response.responses().add(result);
        }
        return new Decision<>(request.validateOnly() ? List.of() : records, response);
    }

    /** Replaces all keys by the named ones. */
    public static Decision<AlterConfigsResponseData> legacy(
            Situation situation, AlterConfigsRequestData request) {
        List<ApiMessageAndVersion> records = new ArrayList<>();
        AlterConfigsResponseData response = new AlterConfigsResponseData();
        Set<ConfigResource> seen = new HashSet<>();
        for (var wanted : request.resources()) {
            var result =
                    new AlterConfigsResponseData.AlterConfigsResourceResponse()
                            .setResourceType(wanted.resourceType())
                            .setResourceName(wanted.resourceName());
            Outcome<List<ApiMessageAndVersion>> outcome =
                    change(situation, wanted.resourceType(), wanted.resourceName(), seen)
                            .then(change -> replace(change, wanted.configs()));
            switch (outcome) {
                case Outcome.Accepted<List<ApiMessageAndVersion>>(var value) ->
                        records.addAll(value);
                case Outcome.Refused<List<ApiMessageAndVersion>>(var refusal) ->
                        result.setErrorCode(refusal.code()).setErrorMessage(refusal.message());
            }
            response.responses().add(result);
        }
        return new Decision<>(request.validateOnly() ? List.of() : records, response);
    }

    private static Outcome<ConfigChange> change(
            Situation situation, byte type, String name, Set<ConfigResource> seen) {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.forId(type), name);
        if (!seen.add(resource)) {
            return Outcome.refuse(
                    Errors.INVALID_REQUEST, "The request names " + resource + " more than once.");
        }
        Optional<Refusal> refusal = ConfigTarget.check(situation.image(), type, name);
        return refusal.isPresent()
                ? new Outcome.Refused<>(refusal.get())
                : Outcome.of(new ConfigChange(situation, resource));
    }

    private static Outcome<List<ApiMessageAndVersion>> replace(
            ConfigChange change, Iterable<AlterConfigsRequestData.AlterableConfig> configs) {
        for (var config : configs) {
            if (config.value() == null) return noValue(config.name());
            change.set(config.name(), config.value());
        }
        change.removeOthers();
        return change.records();
    }

    private static Outcome<List<ApiMessageAndVersion>> operate(
            ConfigChange change, Iterable<AlterableConfig> configs) {
        Set<String> keys = new HashSet<>();
        for (AlterableConfig config : configs) {
            if (!keys.add(config.name())) {
                return Outcome.refuse(
                        Errors.INVALID_REQUEST,
                        "The request changes '" + config.name() + "' more than once.");
            }
        }
        for (AlterableConfig config : configs) {
            Optional<Refusal> refusal = operate(change, config);
            if (refusal.isPresent()) return new Outcome.Refused<>(refusal.get());
        }
        return change.records();
    }

    private static Optional<Refusal> operate(ConfigChange change, AlterableConfig config) {
        if (config.configOperation() == OpType.DELETE.id()) {
            change.remove(config.name());
            return Optional.empty();
        }
        if (config.value() == null) {
            return Optional.of(noValueRefusal(config.name()));
        }
        if (config.configOperation() == OpType.SET.id()) {
            change.set(config.name(), config.value());
            return Optional.empty();
        }
        boolean isAppend = config.configOperation() == OpType.APPEND.id();
        if (!isAppend && config.configOperation() != OpType.SUBTRACT.id()) {
            return Optional.of(
                    new Refusal(
                            Errors.INVALID_REQUEST,
                            "Operation " + config.configOperation() + " is not known."));
        }
        if (!change.isList(config.name())) {
            return Optional.of(
                    new Refusal(
                            Errors.INVALID_CONFIG,
                            "'"
                                    + config.name()
                                    + "' is not a list: it can be set or deleted, not appended to"
                                    + " or subtracted from."));
        }
        edit(change, config, isAppend);
        return Optional.empty();
    }

    private static void edit(ConfigChange change, AlterableConfig config, boolean isAppend) {
        Set<String> items = items(change.effective(config.name()));
        Set<String> operands = items(config.value());
        boolean isChanged = isAppend ? items.addAll(operands) : items.removeAll(operands);
        if (isChanged) change.set(config.name(), String.join(",", items));
    }

    private static Set<String> items(String list) {
        Set<String> items = new LinkedHashSet<>();
        if (list == null) return items;
        for (String item : list.split(",", -1)) {
            if (!item.isBlank()) items.add(item.trim());
        }
        return items;
    }

    private static Outcome<List<ApiMessageAndVersion>> noValue(String key) {
        return new Outcome.Refused<>(noValueRefusal(key));
    }

    private static Refusal noValueRefusal(String key) {
        return new Refusal(
                Errors.INVALID_REQUEST,
                "'" + key + "' has no value. Delete the key to have the default.");
    }
}
