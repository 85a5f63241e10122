// SPDX-License-Identifier: Apache-2.0
package io.oxbow.controller.broker;

import java.util.List;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.metadata.BrokerRegistrationChangeRecord;
import org.apache.kafka.metadata.BrokerRegistration;
import org.apache.kafka.metadata.BrokerRegistrationFencingChange;
import org.apache.kafka.metadata.BrokerRegistrationInControlledShutdownChange;
import org.apache.kafka.server.common.ApiMessageAndVersion;

/** The records that change a registration, each at the lowest version that can say it. */
final class BrokerRecords {
    private BrokerRecords() {}

    static ApiMessageAndVersion fence(BrokerRegistration broker) {
        return record(change(broker).setFenced(BrokerRegistrationFencingChange.FENCE.value()), 0);
    }

    static ApiMessageAndVersion unfence(BrokerRegistration broker) {
        return record(change(broker).setFenced(BrokerRegistrationFencingChange.UNFENCE.value()), 0);
    }

    static ApiMessageAndVersion shuttingDown(BrokerRegistration broker) {
        return record(
                change(broker)
                        .setInControlledShutdown(
                                BrokerRegistrationInControlledShutdownChange.IN_CONTROLLED_SHUTDOWN
                                        .value()),
                1);
    }

    /** The directories that are online from now on. */
    static ApiMessageAndVersion directories(BrokerRegistration broker, List<Uuid> online) {
        return record(change(broker).setLogDirs(online), 2);
    }

    /** The directories that take no new replicas from now on. */
    static ApiMessageAndVersion cordoned(BrokerRegistration broker, List<Uuid> cordoned) {
        return record(change(broker).setCordonedLogDirs(cordoned), 3);
    }

    private static BrokerRegistrationChangeRecord change(BrokerRegistration broker) {
        return new BrokerRegistrationChangeRecord()
                .setBrokerId(broker.id())
                .setBrokerEpoch(broker.epoch());
    }

    private static ApiMessageAndVersion record(BrokerRegistrationChangeRecord record, int version) {
        return new ApiMessageAndVersion(record, (short) version);
    }
}
