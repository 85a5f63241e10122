// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.admin;

import io.oxbow.server.api.ApiHandler;
import io.oxbow.server.api.Request;
import org.apache.kafka.common.message.InitProducerIdRequestData;
import org.apache.kafka.common.message.InitProducerIdResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;

/**
 * InitProducerId (key 22) for idempotent producers: a new id with epoch 0. A transactional one is
 * refused for good, so that its client says so instead of trying for ever.
 */
public final class InitProducerIdHandler implements ApiHandler {
    private final ProducerIds ids;

    public InitProducerIdHandler(ProducerIds ids) {
        this.ids = ids;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.INIT_PRODUCER_ID;
    }

    @Override
    public void handle(Request request) {
        InitProducerIdRequestData body = (InitProducerIdRequestData) request.body();
        if (body.transactionalId() != null) {
            Errors error =
                    body.transactionalId().isEmpty()
                            ? Errors.INVALID_REQUEST
                            : Errors.UNSUPPORTED_VERSION;
            request.fail(error, "This broker has no transaction coordinator yet.");
            return;
        }
        request.answering(ids.next(), (id, failure) -> answer(request, id, failure));
    }

    private static void answer(Request request, Long id, Throwable failure) {
        if (failure != null) {
            // The one that producers take as "ask again soon".
            request.fail(Errors.COORDINATOR_LOAD_IN_PROGRESS, failure.getMessage());
            return;
        }
        request.reply(
                new InitProducerIdResponseData().setProducerId(id).setProducerEpoch((short) 0));
    }
}
