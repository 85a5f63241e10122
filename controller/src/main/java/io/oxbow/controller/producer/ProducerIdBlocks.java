// SPDX-License-Identifier: Apache-2.0
package io.oxbow.controller.producer;

import io.oxbow.controller.decide.BrokerEpochs;
import io.oxbow.controller.decide.Decision;
import io.oxbow.controller.decide.Refusal;
import io.oxbow.controller.decide.Situation;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.message.AllocateProducerIdsRequestData;
import org.apache.kafka.common.message.AllocateProducerIdsResponseData;
import org.apache.kafka.common.metadata.ProducerIdsRecord;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.server.common.ProducerIdsBlock;

/**
 * Decides AllocateProducerIds: each block begins where the last one ended. A block is the broker's
 * when its record is committed; what a broker does not use of it is lost, never given again.
 */
public final class ProducerIdBlocks {
    private ProducerIdBlocks() {}

    public static Decision<AllocateProducerIdsResponseData> decide(
            Situation situation, AllocateProducerIdsRequestData request) {
        AllocateProducerIdsResponseData response = new AllocateProducerIdsResponseData();
        Optional<Refusal> stale =
                BrokerEpochs.check(situation.image(), request.brokerId(), request.brokerEpoch());
        if (stale.isPresent()) {
            return Decision.reply(response.setErrorCode(stale.get().code()));
        }
        // An image that never saw a block says -1.
        long first = Math.max(0, situation.image().producerIds().nextProducerId());
        int size = ProducerIdsBlock.PRODUCER_ID_BLOCK_SIZE;
        if (first > Long.MAX_VALUE - size) {
            return Decision.reply(response.setErrorCode(Errors.UNKNOWN_SERVER_ERROR.code()));
        }
        ProducerIdsRecord record =
                new ProducerIdsRecord()
                        .setBrokerId(request.brokerId())
                        .setBrokerEpoch(request.brokerEpoch())
                        .setNextProducerId(first + size);
        return new Decision<>(
                List.of(Decision.record(record)),
                response.setProducerIdStart(first).setProducerIdLen(size));
    }
}
