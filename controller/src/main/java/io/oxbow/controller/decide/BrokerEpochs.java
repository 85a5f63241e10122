// SPDX-License-Identifier: Apache-2.0
package io.oxbow.controller.decide;

import java.util.Optional;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.metadata.BrokerRegistration;

/** A broker may speak for its own registration only, not for an earlier or later one. */
public final class BrokerEpochs {
    private BrokerEpochs() {}

    /** Refused with {@code STALE_BROKER_EPOCH} unless the epoch is the registration's. */
    public static Optional<Refusal> check(MetadataImage image, int brokerId, long epoch) {
        BrokerRegistration broker = image.cluster().broker(brokerId);
        if (broker != null && broker.epoch() == epoch) return Optional.empty();
        String known = broker == null ? "it is not registered" : "its epoch is " + broker.epoch();
        return Optional.of(
                new Refusal(
                        Errors.STALE_BROKER_EPOCH,
                        "Broker "
                                + brokerId
                                + " spoke for epoch "
                                + epoch
                                + ", but "
                                + known
                                + ". It must register again."));
    }
}
