// SPDX-License-Identifier: Apache-2.0
package io.oxbow.controller.broker;

import io.oxbow.controller.decide.Decision;
import io.oxbow.controller.decide.Situation;
import io.oxbow.controller.partition.LeaderMoves;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.message.UnregisterBrokerRequestData;
import org.apache.kafka.common.message.UnregisterBrokerResponseData;
import org.apache.kafka.common.metadata.UnregisterBrokerRecord;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.metadata.BrokerRegistration;
import org.apache.kafka.server.common.ApiMessageAndVersion;

/** A broker that is taken out of service: for a while (fenced) or for good (unregistered). */
public final class Fencing {
    private Fencing() {}

    /** The broker was silent for a session: it loses what it leads, then it is fenced. */
    public static Decision<Void> fence(Situation situation, int brokerId) {
        BrokerRegistration broker = situation.image().cluster().broker(brokerId);
        if (broker == null || broker.fenced()) return Decision.reply(null);
        return Decision.divisible(records(situation, broker), null);
    }

    static List<ApiMessageAndVersion> records(Situation situation, BrokerRegistration broker) {
        List<ApiMessageAndVersion> records =
                new ArrayList<>(LeaderMoves.brokerGone(situation, broker.id()));
        if (!broker.fenced()) records.add(BrokerRecords.fence(broker));
        return records;
    }

    /** Decides UnregisterBroker. */
    public static Decision<UnregisterBrokerResponseData> unregister(
            Situation situation, UnregisterBrokerRequestData request) {
        UnregisterBrokerResponseData response = new UnregisterBrokerResponseData();
        BrokerRegistration broker = situation.image().cluster().broker(request.brokerId());
        if (broker == null) {
            return Decision.reply(
                    response.setErrorCode(Errors.BROKER_ID_NOT_REGISTERED.code())
                            .setErrorMessage(
                                    "Broker "
                                            + request.brokerId()
                                            + " is not registered. Registered: "
                                            + situation.image().cluster().brokers().keySet()));
        }
        List<ApiMessageAndVersion> records =
                new ArrayList<>(LeaderMoves.brokerGone(situation, broker.id()));
        records.add(
                Decision.record(
                        new UnregisterBrokerRecord()
                                .setBrokerId(broker.id())
                                .setBrokerEpoch(broker.epoch())));
        return Decision.divisible(records, response);
    }
}
