// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.group;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.oxbow.server.doubles.RecordingRequest;
import java.util.List;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.CoordinatorNotAvailableException;
import org.apache.kafka.common.message.FindCoordinatorRequestData;
import org.apache.kafka.common.message.FindCoordinatorResponseData;
import org.apache.kafka.common.message.FindCoordinatorResponseData.Coordinator;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.image.MetadataImage;
import org.junit.jupiter.api.Test;

class FindCoordinatorHandlerTest {
    private static final byte GROUP = 0;
    private static final byte TRANSACTION = 1;
    private static final byte SHARE = 2;

    private final RecordingCoordinator coordinator =
            new RecordingCoordinator().on("partitionFor", group -> 1);
    private int topicsAskedFor;

    private FindCoordinatorResponseData find(
            MetadataImage image, int version, byte keyType, String... groups) {
        FindCoordinatorRequestData find = new FindCoordinatorRequestData().setKeyType(keyType);
        if (version < 4) find.setKey(groups[0]);
        else find.setCoordinatorKeys(List.of(groups));
        RecordingRequest request = new RecordingRequest(ApiKeys.FIND_COORDINATOR, version, find);
        new FindCoordinatorHandler(coordinator.coordinator(), () -> topicsAskedFor++, () -> image)
                .handle(request);
        return request.reply(FindCoordinatorResponseData.class);
    }

    private static Images offsetsTopicLedBy(int leader) {
        return new Images().topic("__consumer_offsets", Uuid.randomUuid(), 3, leader);
    }

    @Test
    void shouldAskForTheOffsetsTopicWhenItIsMissing() {
        FindCoordinatorResponseData answer = find(new Images().image(), 6, GROUP, "g");
        assertEquals(
                Errors.COORDINATOR_NOT_AVAILABLE.code(), answer.coordinators().get(0).errorCode());
        assertEquals(-1, answer.coordinators().get(0).nodeId());
        assertEquals(1, topicsAskedFor);
    }

    @Test
    void shouldNameTheLeaderOfTheGroupsPartition() {
        MetadataImage image = offsetsTopicLedBy(7).broker(7, false).image();
        FindCoordinatorResponseData answer = find(image, 6, GROUP, "g", "h");
        assertEquals(2, answer.coordinators().size());
        Coordinator first = answer.coordinators().get(0);
        assertEquals(
                new Coordinator()
                        .setKey("g")
                        .setNodeId(7)
                        .setHost("host7")
                        .setPort(9092)
                        .setErrorMessage(first.errorMessage()),
                first);
        assertEquals(0, topicsAskedFor);
    }

    @Test
    void shouldAnswerOneKeyInTheOldShape() {
        MetadataImage image = offsetsTopicLedBy(7).broker(7, false).image();
        FindCoordinatorResponseData answer = find(image, 3, GROUP, "g");
        assertEquals(Errors.NONE.code(), answer.errorCode());
        assertEquals(7, answer.nodeId());
        assertEquals("host7", answer.host());
    }

    @Test
    void shouldNotNameALeaderThatIsFencedOrMissing() {
        for (Images images :
                List.of(
                        offsetsTopicLedBy(7).broker(7, true),
                        offsetsTopicLedBy(7),
                        offsetsTopicLedBy(-1).broker(7, false))) {
            assertEquals(
                    Errors.COORDINATOR_NOT_AVAILABLE.code(),
                    find(images.image(), 2, GROUP, "g").errorCode());
        }
    }

    @Test
    void shouldBeRetriableUntilTheCoordinatorHasStarted() {
        coordinator.on(
                "partitionFor",
                group -> {
                    throw new CoordinatorNotAvailableException("not started");
                });
        MetadataImage image = offsetsTopicLedBy(7).broker(7, false).image();
        assertEquals(
                Errors.COORDINATOR_NOT_AVAILABLE.code(), find(image, 2, GROUP, "g").errorCode());
    }

    @Test
    void shouldRefuseKindsOfCoordinatorsThatItDoesNotHave() {
        MetadataImage image = offsetsTopicLedBy(7).broker(7, false).image();
        FindCoordinatorResponseData old = find(image, 2, TRANSACTION, "t");
        assertEquals(Errors.UNSUPPORTED_VERSION.code(), old.errorCode());
        assertTrue(old.errorMessage().contains("no transaction coordinator"));
        var transactional = find(image, 6, TRANSACTION, "t").coordinators().get(0);
        assertEquals(Errors.UNSUPPORTED_VERSION.code(), transactional.errorCode());
        assertTrue(transactional.errorMessage().contains("no transaction coordinator"));
        assertEquals(
                Errors.INVALID_REQUEST.code(),
                find(image, 5, SHARE, "s").coordinators().get(0).errorCode());
        assertEquals(
                Errors.COORDINATOR_NOT_AVAILABLE.code(),
                find(image, 6, SHARE, "s").coordinators().get(0).errorCode());
        assertEquals(Errors.INVALID_REQUEST.code(), find(image, 2, (byte) 9, "x").errorCode());
    }
}
