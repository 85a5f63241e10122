// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.admin;

import java.util.Collection;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.common.config.LogLevelConfig;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterableConfig;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiError;

/**
 * Changes of log levels by the resource BROKER_LOGGER: all are checked before the first is made.
 */
final class LoggerChanges {
    private final int nodeId;
    private final LoggerLevels levels;

    LoggerChanges(int nodeId, LoggerLevels levels) {
        this.nodeId = nodeId;
        this.levels = levels;
    }

    ApiError apply(String resource, Collection<AlterableConfig> changes, boolean validateOnly) {
        if (!resource.equals(Integer.toString(nodeId))) {
            return new ApiError(
                    Errors.INVALID_REQUEST,
                    "Log levels of broker " + resource + " cannot be set by broker " + nodeId);
        }
        for (AlterableConfig change : changes) {
            ApiError error = check(change);
            if (error.isFailure()) return error;
        }
        if (!validateOnly) changes.forEach(this::make);
        return ApiError.NONE;
    }

    private ApiError check(AlterableConfig change) {
        String name = change.name();
        if (levels.level(name).isEmpty()) {
            return new ApiError(Errors.INVALID_CONFIG, "Logger " + name + " does not exist!");
        }
        return switch (OpType.forId(change.configOperation())) {
            case SET ->
                    LogLevelConfig.VALID_LOG_LEVELS.contains(change.value())
                            ? ApiError.NONE
                            : new ApiError(
                                    Errors.INVALID_CONFIG,
                                    "Cannot set the log level of "
                                            + name
                                            + " to "
                                            + change.value()
                                            + "; it is one of "
                                            + LogLevelConfig.VALID_LOG_LEVELS);
            case DELETE ->
                    name.equals(LoggerLevels.ROOT)
                            ? new ApiError(
                                    Errors.INVALID_REQUEST,
                                    "The level of the root logger cannot be removed, only changed")
                            : ApiError.NONE;
            case APPEND, SUBTRACT ->
                    new ApiError(Errors.INVALID_REQUEST, "A log level can only be set or deleted");
        };
    }

    private void make(AlterableConfig change) {
        if (OpType.forId(change.configOperation()) == OpType.SET) {
            levels.set(change.name(), change.value());
        } else {
            levels.unset(change.name());
        }
    }
}
