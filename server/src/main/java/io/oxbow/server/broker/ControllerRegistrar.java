// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.broker;

import io.oxbow.base.time.Scheduler;
import io.oxbow.metadata.OwnQuestions;
import io.oxbow.server.config.Listener;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.ControllerRegistrationRequestData;
import org.apache.kafka.common.message.ControllerRegistrationResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.metadata.ControllerRegistration;
import org.apache.kafka.metadata.VersionRange;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the active controller where this node's controller listens and which feature levels it can
 * run (KIP-919): once for each process, when a committed image shows another registration or none.
 *
 * <p>Images come on the metadata loader's thread, answers on the controller's; the lock guards one
 * flag and is not held while sending.
 */
final class ControllerRegistrar {
    private static final Logger log = LoggerFactory.getLogger(ControllerRegistrar.class);
    private static final long BACKOFF_MS = 1_000;
    private static final long REQUEST_MS = 5_000;

    private final Identity identity;
    private final OwnQuestions controller;
    private final Scheduler scheduler;

    /** Under the lock: a request or the wait after a failed one is under way. */
    private boolean busy;

    /** What it says; does not change while the process lives. */
    record Identity(
            int nodeId,
            Uuid incarnationId,
            List<Listener> listeners,
            Map<String, VersionRange> features) {}

    ControllerRegistrar(Identity identity, OwnQuestions controller, Scheduler scheduler) {
        this.identity = identity;
        this.controller = controller;
        this.scheduler = scheduler;
    }

    /** The next committed image. */
    void onImage(MetadataImage image) {
        boolean canRegister =
                image.features()
                        .metadataVersion()
                        .filter(version -> version.isControllerRegistrationSupported())
                        .isPresent();
        ControllerRegistration known = image.cluster().controllers().get(identity.nodeId());
        boolean isKnown = known != null && known.incarnationId().equals(identity.incarnationId());
        if (!canRegister || isKnown) return;
        synchronized (this) {
            if (busy) return;
            busy = true;
        }
        send();
    }

    private void send() {
        var _ =
                controller
                        .ask(this::request, ControllerRegistrationResponseData.class, REQUEST_MS)
                        .whenComplete(this::onAnswer);
    }

    private void onAnswer(ControllerRegistrationResponseData answer, Throwable failure) {
        if (failure == null && answer.errorCode() == Errors.NONE.code()) {
            log.info("Controller {} is registered", identity.nodeId());
        } else {
            log.warn(
                    "Controller {} could not register: {}. Trying again in {} ms",
                    identity.nodeId(),
                    failure == null ? answer.errorMessage() : failure.getMessage(),
                    BACKOFF_MS);
        }
        // By then the image has it; if not, idle records bring images often enough to try again.
        var _ = scheduler.after(BACKOFF_MS, this::free);
    }

    private synchronized void free() {
        busy = false;
    }

    private ControllerRegistrationRequestData request() {
        ControllerRegistrationRequestData request =
                new ControllerRegistrationRequestData()
                        .setControllerId(identity.nodeId())
                        .setIncarnationId(identity.incarnationId())
                        .setZkMigrationReady(false);
        for (Listener listener : identity.listeners()) {
            request.listeners()
                    .add(
                            new ControllerRegistrationRequestData.Listener()
                                    .setName(listener.name())
                                    .setHost(listener.host())
                                    .setPort(listener.port())
                                    .setSecurityProtocol(listener.protocol().id));
        }
        identity.features()
                .forEach(
                        (name, range) ->
                                request.features()
                                        .add(
                                                new ControllerRegistrationRequestData.Feature()
                                                        .setName(name)
                                                        .setMinSupportedVersion(range.min())
                                                        .setMaxSupportedVersion(range.max())));
        return request;
    }
}
