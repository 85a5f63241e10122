// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.oxbow.base.error.RetriableException;
import io.oxbow.metadata.OwnQuestions;
import io.oxbow.server.config.Listener;
import io.oxbow.server.doubles.Images;
import io.oxbow.server.doubles.RecordingGateway;
import io.oxbow.server.doubles.SimTime;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.ControllerRegistrationRequestData;
import org.apache.kafka.common.message.ControllerRegistrationResponseData;
import org.apache.kafka.common.metadata.RegisterControllerRecord;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.metadata.VersionRange;
import org.junit.jupiter.api.Test;

class ControllerRegistrarTest {
    private static final Uuid INCARNATION = new Uuid(1, 1);

    private final RecordingGateway controller = new RecordingGateway();
    private final SimTime time = new SimTime();
    private final MetadataImage image = Images.after(MetadataImage.EMPTY, Images.metadataVersion());
    private final ControllerRegistrar registrar =
            new ControllerRegistrar(
                    new ControllerRegistrar.Identity(
                            1,
                            INCARNATION,
                            List.of(
                                    new Listener(
                                            "CONTROLLER",
                                            "host",
                                            9093,
                                            SecurityProtocol.PLAINTEXT)),
                            Map.of("metadata.version", VersionRange.of(7, 33))),
                    new OwnQuestions("controller-1", controller, time, time),
                    time);

    @Test
    void shouldRegisterOnceWithListenersAndFeatures() {
        registrar.onImage(image);
        registrar.onImage(image);
        assertEquals(1, controller.unanswered());
        var request = controller.unanswered(ControllerRegistrationRequestData.class);
        assertEquals(9093, request.listeners().find("CONTROLLER").port());
        assertEquals(33, request.features().find("metadata.version").maxSupportedVersion());
        assertEquals(INCARNATION, request.incarnationId());
    }

    @Test
    void shouldWaitForAMetadataVersionThatHasRegistrations() {
        registrar.onImage(MetadataImage.EMPTY);
        assertEquals(0, controller.unanswered());
    }

    @Test
    void shouldTryAgainAfterAFailure() {
        registrar.onImage(image);
        controller.fail(new RetriableException("no controller"));
        registrar.onImage(image);
        assertEquals(0, controller.unanswered());
        time.pass(1_000);
        registrar.onImage(image);
        assertEquals(1, controller.unanswered());
    }

    @Test
    void shouldTryAgainWhenNoAnswerComes() {
        registrar.onImage(image);
        time.pass(10_000 + 1_000);
        registrar.onImage(image);
        assertEquals(2, controller.unanswered());
    }

    @Test
    void shouldBeSilentWhenTheImageHasIt() {
        registrar.onImage(image);
        controller.answer(new ControllerRegistrationResponseData());
        time.pass(1_000);
        registrar.onImage(registered(INCARNATION));
        assertEquals(0, controller.unanswered());
        registrar.onImage(registered(new Uuid(2, 2)));
        assertEquals(1, controller.unanswered(), "that was an earlier process");
    }

    private MetadataImage registered(Uuid incarnation) {
        return Images.after(
                image,
                new RegisterControllerRecord()
                        .setControllerId(1)
                        .setIncarnationId(incarnation)
                        .setZkMigrationReady(false));
    }
}
