// SPDX-License-Identifier: Apache-2.0
package io.oxbow.controller.quota;

import io.oxbow.controller.decide.Refusal;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.apache.kafka.server.config.QuotaConfig;

/** The quotas there are, whom they can be given to, and their values. */
final class QuotaKeys {
    private QuotaKeys() {}

    /** What numbers a quota takes. */
    private enum Kind {
        LONG(Long.MAX_VALUE),
        INT(Integer.MAX_VALUE),
        DOUBLE(Double.MAX_VALUE);

        private final double most;

        Kind(double most) {
            this.most = most;
        }
    }

    private static final Map<String, Kind> CLIENT =
            Map.of(
                    QuotaConfig.PRODUCER_BYTE_RATE_OVERRIDE_CONFIG, Kind.LONG,
                    QuotaConfig.CONSUMER_BYTE_RATE_OVERRIDE_CONFIG, Kind.LONG,
                    QuotaConfig.REQUEST_PERCENTAGE_OVERRIDE_CONFIG, Kind.DOUBLE,
                    QuotaConfig.CONTROLLER_MUTATION_RATE_OVERRIDE_CONFIG, Kind.DOUBLE);
    private static final Map<String, Kind> IP =
            Map.of(QuotaConfig.IP_CONNECTION_RATE_OVERRIDE_CONFIG, Kind.INT);

    /** Says why the entity may not have this quota. */
    static Optional<Refusal> check(Map<String, String> entity, String key) {
        Map<String, Kind> keys = keys(entity);
        if (keys.containsKey(key)) return Optional.empty();
        return refuse(
                "'"
                        + key
                        + "' is no quota of "
                        + entity.keySet()
                        + ". There are: "
                        + keys.keySet());
    }

    /** Says why the quota may not have this value; the key is one that the entity can have. */
    static Optional<Refusal> check(Map<String, String> entity, String key, double value) {
        Kind kind = keys(entity).get(key);
        if (!(value > 0)) {
            return refuse(key + "=" + value + " is not possible: it must be more than 0.");
        }
        if (kind != Kind.DOUBLE && value != Math.rint(value)) {
            return refuse(key + "=" + value + " is not possible: it must be a whole number.");
        }
        if (value > kind.most) {
            return refuse(key + "=" + value + " is more than " + kind.most + ", the most.");
        }
        return Optional.empty();
    }

    private static Map<String, Kind> keys(Map<String, String> entity) {
        return entity.containsKey(ClientQuotaEntity.IP) ? IP : CLIENT;
    }

    private static Optional<Refusal> refuse(String message) {
        return Optional.of(new Refusal(Errors.INVALID_REQUEST, message));
    }
}
