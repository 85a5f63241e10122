// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.oxbow.base.error.RetriableException;
import io.oxbow.server.doubles.RecordingGateway;
import io.oxbow.server.doubles.RecordingRequest;
import io.oxbow.server.doubles.SimTime;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterConfigsResource;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterableConfig;
import org.apache.kafka.common.message.IncrementalAlterConfigsResponseData;
import org.apache.kafka.common.message.IncrementalAlterConfigsResponseData.AlterConfigsResourceResponse;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;

class IncrementalAlterConfigsHandlerTest {
    private final RecordingGateway controller = new RecordingGateway();
    private final SimLevels levels = new SimLevels();
    private final IncrementalAlterConfigsHandler handler =
            new IncrementalAlterConfigsHandler(
                    1,
                    new Forwarding(
                            controller,
                            new SimTime(),
                            () -> CompletableFuture.completedFuture(true)),
                    levels);
    private final IncrementalAlterConfigsRequestData body =
            new IncrementalAlterConfigsRequestData();

    @Test
    void shouldSetLogLevelsHereWithoutTheController() {
        change(ConfigResource.Type.BROKER_LOGGER, "1", "io.oxbow", "DEBUG", OpType.SET);

        assertEquals(Errors.NONE, errorOf(ask(), "1"));
        assertEquals("DEBUG", levels.values.get("io.oxbow"));
        assertEquals(0, controller.requests.size());
    }

    @Test
    void shouldNotSetAnythingWhenOnlyAskedToValidate() {
        change(ConfigResource.Type.BROKER_LOGGER, "1", "io.oxbow", "DEBUG", OpType.SET);
        body.setValidateOnly(true);

        assertEquals(Errors.NONE, errorOf(ask(), "1"));
        assertEquals("INFO", levels.values.get("io.oxbow"));
    }

    @Test
    void shouldRefuseLevelsAndLoggersThatAreNotThere() {
        change(ConfigResource.Type.BROKER_LOGGER, "1", "io.oxbow", "LOUD", OpType.SET);
        assertEquals(Errors.INVALID_CONFIG, errorOf(ask(), "1"));

        body.resources().clear();
        change(ConfigResource.Type.BROKER_LOGGER, "1", "no.such", "INFO", OpType.SET);
        assertEquals(Errors.INVALID_CONFIG, errorOf(ask(), "1"));

        body.resources().clear();
        change(ConfigResource.Type.BROKER_LOGGER, "1", LoggerLevels.ROOT, null, OpType.DELETE);
        assertEquals(Errors.INVALID_REQUEST, errorOf(ask(), "1"));

        body.resources().clear();
        change(ConfigResource.Type.BROKER_LOGGER, "2", "io.oxbow", "INFO", OpType.SET);
        assertEquals(Errors.INVALID_REQUEST, errorOf(ask(), "2"));
    }

    @Test
    void shouldSendTheRestOnAndAnswerForBoth() {
        change(ConfigResource.Type.BROKER_LOGGER, "1", "io.oxbow", "WARN", OpType.SET);
        change(ConfigResource.Type.TOPIC, "t", "retention.ms", "1", OpType.SET);
        RecordingRequest request = ask();
        assertFalse(request.answered());

        var sent = controller.unanswered(IncrementalAlterConfigsRequestData.class);
        assertEquals(1, sent.resources().size());
        IncrementalAlterConfigsResponseData answer = new IncrementalAlterConfigsResponseData();
        answer.responses()
                .add(
                        new AlterConfigsResourceResponse()
                                .setResourceType(ConfigResource.Type.TOPIC.id())
                                .setResourceName("t")
                                .setErrorCode(Errors.POLICY_VIOLATION.code()));
        controller.answer(answer);

        assertEquals(Errors.NONE, errorOf(request, "1"));
        assertEquals(Errors.POLICY_VIOLATION, errorOf(request, "t"));
    }

    @Test
    void shouldRefuseAMissingValueBeforeTheControllerSeesIt() {
        change(ConfigResource.Type.TOPIC, "t", "retention.ms", null, OpType.SET);

        assertEquals(Errors.INVALID_REQUEST, errorOf(ask(), "t"));
        assertEquals(0, controller.requests.size());
    }

    @Test
    void shouldTellTheClientToAskAgainWithoutAController() {
        change(ConfigResource.Type.TOPIC, "t", "retention.ms", "1", OpType.SET);
        RecordingRequest request = ask();
        controller.fail(new RetriableException("no controller"));

        assertEquals(Errors.REQUEST_TIMED_OUT, request.error());
    }

    private RecordingRequest ask() {
        RecordingRequest request =
                new RecordingRequest(ApiKeys.INCREMENTAL_ALTER_CONFIGS, 1, body.duplicate());
        handler.handle(request);
        return request;
    }

    private void change(
            ConfigResource.Type type, String name, String key, String value, OpType operation) {
        AlterConfigsResource resource =
                new AlterConfigsResource().setResourceType(type.id()).setResourceName(name);
        resource.configs()
                .add(
                        new AlterableConfig()
                                .setName(key)
                                .setValue(value)
                                .setConfigOperation(operation.id()));
        assertTrue(body.resources().add(resource));
    }

    private static Errors errorOf(RecordingRequest request, String resource) {
        return request.reply(IncrementalAlterConfigsResponseData.class).responses().stream()
                .filter(each -> each.resourceName().equals(resource))
                .map(each -> Errors.forCode(each.errorCode()))
                .findFirst()
                .orElseThrow();
    }

    /** Two loggers. */
    private static final class SimLevels implements LoggerLevels {
        private final Map<String, String> values =
                new HashMap<>(Map.of(ROOT, "INFO", "io.oxbow", "INFO"));

        @Override
        public Map<String, String> levels() {
            return values;
        }

        @Override
        public boolean set(String logger, String level) {
            return values.replace(logger, level) != null;
        }

        @Override
        public boolean unset(String logger) {
            return values.replace(logger, "INFO") != null;
        }
    }
}
