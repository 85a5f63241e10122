// SPDX-License-Identifier: Apache-2.0
package io.oxbow.controller.broker;

import io.oxbow.controller.decide.Decision;
import io.oxbow.controller.decide.Situation;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.message.ControllerRegistrationRequestData;
import org.apache.kafka.common.message.ControllerRegistrationRequestData.Feature;
import org.apache.kafka.common.message.ControllerRegistrationRequestData.Listener;
import org.apache.kafka.common.message.ControllerRegistrationResponseData;
import org.apache.kafka.common.message.UnregisterControllerRequestData;
import org.apache.kafka.common.message.UnregisterControllerResponseData;
import org.apache.kafka.common.metadata.RegisterControllerRecord;
import org.apache.kafka.common.metadata.RegisterControllerRecord.ControllerEndpoint;
import org.apache.kafka.common.metadata.RegisterControllerRecord.ControllerFeature;
import org.apache.kafka.common.metadata.UnregisterControllerRecord;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.apache.kafka.server.common.MetadataVersion;

/**
 * Decides ControllerRegistration: each controller says where it listens and which feature levels it
 * can run, so that nobody finalizes a level that some controller cannot.
 */
public final class ControllerRegistrations {
    private ControllerRegistrations() {}

    public static Decision<ControllerRegistrationResponseData> decide(
            Situation situation, ControllerRegistrationRequestData request) {
        ControllerRegistrationResponseData response = new ControllerRegistrationResponseData();
        MetadataVersion version = situation.version();
        if (!version.isControllerRegistrationSupported()) {
            return Decision.reply(
                    response.setErrorCode(Errors.UNSUPPORTED_VERSION.code())
                            .setErrorMessage(
                                    "Controllers register from metadata.version 3.7-IV0 on; the"
                                            + " cluster's is "
                                            + version));
        }
        return new Decision<>(
                List.of(
                        new ApiMessageAndVersion(
                                record(request), version.registerControllerRecordVersion())),
                response);
    }

    /** Decides UnregisterController: a controller that is gone no longer counts. */
    public static Decision<UnregisterControllerResponseData> unregister(
            Situation situation, UnregisterControllerRequestData request) {
        UnregisterControllerResponseData response = new UnregisterControllerResponseData();
        if (!situation.version().isControllerUnregistrationSupported()) {
            return Decision.reply(
                    response.setErrorCode(Errors.UNSUPPORTED_VERSION.code())
                            .setErrorMessage(
                                    "Controllers can be unregistered from metadata.version 4.4-IV2"
                                            + " on; the cluster's is "
                                            + situation.version()));
        }
        Set<Integer> known = situation.image().cluster().controllers().keySet();
        if (!known.contains(request.controllerId())) {
            return Decision.reply(
                    response.setErrorCode(Errors.CONTROLLER_ID_NOT_REGISTERED.code())
                            .setErrorMessage(
                                    "Controller "
                                            + request.controllerId()
                                            + " is not registered. Registered: "
                                            + known));
        }
        return new Decision<>(
                List.of(
                        Decision.record(
                                new UnregisterControllerRecord()
                                        .setControllerId(request.controllerId()))),
                response);
    }

    private static RegisterControllerRecord record(ControllerRegistrationRequestData request) {
        RegisterControllerRecord record =
                new RegisterControllerRecord()
                        .setControllerId(request.controllerId())
                        .setIncarnationId(request.incarnationId())
                        .setZkMigrationReady(request.zkMigrationReady());
        for (Listener listener : request.listeners()) {
            record.endPoints()
                    .add(
                            new ControllerEndpoint()
                                    .setName(listener.name())
                                    .setHost(listener.host())
                                    .setPort(listener.port())
                                    .setSecurityProtocol(listener.securityProtocol()));
        }
        for (Feature feature : request.features()) {
            record.features()
                    .add(
                            new ControllerFeature()
                                    .setName(feature.name())
                                    .setMinSupportedVersion(feature.minSupportedVersion())
                                    .setMaxSupportedVersion(feature.maxSupportedVersion()));
        }
        return record;
    }
}
