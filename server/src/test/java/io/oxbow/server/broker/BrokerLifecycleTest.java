// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.oxbow.base.error.RetriableException;
import io.oxbow.metadata.OwnQuestions;
import io.oxbow.server.broker.BrokerLifecycle.Directories;
import io.oxbow.server.config.Listener;
import io.oxbow.server.doubles.Images;
import io.oxbow.server.doubles.RecordingGateway;
import io.oxbow.server.doubles.SimTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.BrokerHeartbeatRequestData;
import org.apache.kafka.common.message.BrokerHeartbeatResponseData;
import org.apache.kafka.common.message.BrokerRegistrationRequestData;
import org.apache.kafka.common.message.BrokerRegistrationResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.metadata.BrokerState;
import org.apache.kafka.metadata.VersionRange;
import org.junit.jupiter.api.Test;

class BrokerLifecycleTest {
    private static final int ME = 1;
    private static final Uuid DIRECTORY = new Uuid(300, ME);

    private final RecordingGateway controller = new RecordingGateway();
    private final SimTime time = new SimTime();
    private final SimDirectories directories = new SimDirectories();
    private final BrokerLifecycle lifecycle =
            new BrokerLifecycle(
                    new BrokerIdentity(
                            ME,
                            "cluster",
                            new Uuid(1, 1),
                            List.of(
                                    new Listener(
                                            "PLAINTEXT", "host", 9092, SecurityProtocol.PLAINTEXT)),
                            Map.of("metadata.version", VersionRange.of(7, 29)),
                            null,
                            -1),
                    new OwnQuestions("broker-1", controller, time, time),
                    directories,
                    new BrokerLifecycle.Pace(2_000, 4_500),
                    time);

    @Test
    void shouldRegisterWithListenersFeaturesAndOnlineDirectories() {
        lifecycle.start();

        var request = controller.unanswered(BrokerRegistrationRequestData.class);
        assertEquals(9092, request.listeners().find("PLAINTEXT").port());
        assertEquals(29, request.features().find("metadata.version").maxSupportedVersion());
        assertEquals(List.of(DIRECTORY), request.logDirs());
        assertEquals(-1, request.previousBrokerEpoch());
        assertTrue(
                controller.contexts.getFirst().apiVersion() >= 3,
                "else the controller takes every start for one after a clean stop");
        assertEquals(BrokerState.STARTING, lifecycle.state());
    }

    @Test
    void shouldTryAgainUntilThereIsAController() {
        lifecycle.start();
        controller.fail(new RetriableException("no controller"));
        assertEquals(0, controller.unanswered());

        time.pass(20);
        controller.answer(registered(5));
        assertEquals(5, lifecycle.epoch());
    }

    @Test
    void shouldRegisterAtOnceWhenAnImageShowsThatThereIsAController() {
        lifecycle.start();
        for (long backoff = 20; backoff < 500; backoff *= 2) {
            controller.fail(new RetriableException("no controller"));
            time.pass(backoff);
        }
        controller.fail(new RetriableException("no controller"));
        assertEquals(0, controller.unanswered());

        lifecycle.onImage(image(3, true));
        assertEquals(1, controller.unanswered());
        controller.fail(new RetriableException("not quite"));
        time.pass(20);
        controller.answer(registered(5));
        assertEquals(5, lifecycle.epoch());
    }

    @Test
    void shouldNotHurryAfterARefusal() {
        lifecycle.start();
        controller.answer(
                new BrokerRegistrationResponseData()
                        .setErrorCode(Errors.DUPLICATE_BROKER_REGISTRATION.code()));
        lifecycle.onImage(image(3, true));
        assertEquals(0, controller.unanswered());
    }

    @Test
    void shouldGoOnAfterAQuestionThatCouldNotBeMade() {
        directories.broken = true;
        lifecycle.start();
        assertEquals(0, controller.unanswered());

        directories.broken = false;
        time.pass(20);
        controller.answer(registered(5));
        assertEquals(5, lifecycle.epoch());
    }

    @Test
    void shouldGoOnAfterAnAnswerToAnotherQuestion() {
        lifecycle.start();
        controller.answer(new BrokerHeartbeatResponseData());
        time.pass(20);
        controller.answer(registered(5));
        assertEquals(5, lifecycle.epoch());
    }

    @Test
    void shouldAskToBeUnfencedAsSoonAsTheImageHasTheRegistration() {
        lifecycle.start();
        controller.answer(registered(5));
        assertEquals(0, controller.unanswered());

        lifecycle.onImage(image(5, true));

        var heartbeat = controller.unanswered(BrokerHeartbeatRequestData.class);
        assertFalse(heartbeat.wantFence());
        assertEquals(5, heartbeat.currentMetadataOffset());
        assertEquals(5, heartbeat.brokerEpoch());
    }

    @Test
    void shouldAskAtOnceIfTheImageWasFasterThanTheAnswer() {
        lifecycle.start();
        lifecycle.onImage(image(7, true));
        controller.answer(registered(5));

        assertFalse(controller.unanswered(BrokerHeartbeatRequestData.class).wantFence());
    }

    @Test
    void shouldRunOnlyWhenACommittedImageSaysSo() {
        run();

        assertTrue(lifecycle.unfenced().isDone());
        assertEquals(BrokerState.RUNNING, lifecycle.state());
    }

    @Test
    void shouldSeeThatItWasFenced() {
        run();
        lifecycle.onImage(image(8, true));
        assertEquals(BrokerState.RECOVERY, lifecycle.state());
    }

    @Test
    void shouldTellAFailedDirectoryAtOnce() {
        run();
        directories.offline.add(DIRECTORY);
        lifecycle.directoriesChanged();

        assertEquals(
                List.of(DIRECTORY),
                controller.unanswered(BrokerHeartbeatRequestData.class).offlineLogDirs());
    }

    @Test
    void shouldTellAFailedDirectoryRightAfterARequestThatIsUnderWay() {
        run();
        time.pass(2_000);
        assertEquals(1, controller.unanswered());
        directories.offline.add(DIRECTORY);
        lifecycle.directoriesChanged();
        assertEquals(1, controller.unanswered());

        controller.answer(heartbeat(Errors.NONE));
        assertEquals(
                List.of(DIRECTORY),
                controller.unanswered(BrokerHeartbeatRequestData.class).offlineLogDirs());
    }

    @Test
    void shouldSendHeartbeatsInTheirInterval() {
        run();
        int before = controller.requests.size();
        for (int i = 0; i < 3; i++) {
            time.pass(2_000);
            controller.answer(heartbeat(Errors.NONE));
        }
        assertEquals(before + 3, controller.requests.size());
        assertEquals(1, time.timers());
    }

    @Test
    void shouldRegisterAgainWhenTheControllerHasForgottenIt() {
        run();
        time.pass(2_000);
        controller.answer(heartbeat(Errors.STALE_BROKER_EPOCH));
        time.pass(20);

        var request = controller.unanswered(BrokerRegistrationRequestData.class);
        assertEquals(5, request.previousBrokerEpoch());
    }

    @Test
    void shouldLeaveWhenTheControllerAllowsIt() {
        run();
        var left = lifecycle.leave();
        assertTrue(controller.unanswered(BrokerHeartbeatRequestData.class).wantShutDown());
        controller.answer(heartbeat(Errors.NONE));
        assertFalse(left.isDone());

        time.pass(20);
        controller.answer(heartbeat(Errors.NONE).setShouldShutDown(true));
        assertTrue(left.isDone());
    }

    @Test
    void shouldLeaveAtOnceIfItNeverRegistered() {
        lifecycle.start();
        assertTrue(lifecycle.leave().isDone());
    }

    @Test
    void shouldBeSilentOnceStopped() {
        run();
        lifecycle.stop();
        time.pass(60_000);
        assertEquals(0, controller.unanswered());
        assertEquals(BrokerState.NOT_RUNNING, lifecycle.state());
    }

    private void run() {
        lifecycle.start();
        controller.answer(registered(5));
        lifecycle.onImage(image(5, true));
        controller.answer(heartbeat(Errors.NONE));
        assertEquals(BrokerState.RECOVERY, lifecycle.state());
        lifecycle.onImage(image(6, false));
    }

    private static MetadataImage image(long offset, boolean fenced) {
        MetadataImage image = Images.after(MetadataImage.EMPTY, Images.broker(ME, 5, fenced));
        while (image.offset() < offset) {
            image = Images.after(image, Images.broker(ME, 5, fenced));
        }
        return image;
    }

    private static BrokerRegistrationResponseData registered(long epoch) {
        return new BrokerRegistrationResponseData().setBrokerEpoch(epoch);
    }

    private static BrokerHeartbeatResponseData heartbeat(Errors error) {
        return new BrokerHeartbeatResponseData().setErrorCode(error.code());
    }

    private static final class SimDirectories implements Directories {
        final List<Uuid> offline = new ArrayList<>();
        boolean broken;

        @Override
        public List<Uuid> online() {
            if (broken) throw new IllegalStateException("directories cannot be told");
            return List.of(DIRECTORY);
        }

        @Override
        public List<Uuid> offline() {
            return List.copyOf(offline);
        }

        @Override
        public List<Uuid> cordoned() {
            return List.of();
        }
    }
}
