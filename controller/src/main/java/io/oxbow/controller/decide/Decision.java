// SPDX-License-Identifier: Apache-2.0
package io.oxbow.controller.decide;

import java.util.List;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.metadata.ConfigRecord;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.server.common.ApiMessageAndVersion;

/**
 * What a decider gives: the records that make it so, in order, and the reply that becomes true when
 * they are committed. The records of one decision are appended together, so that all or none of
 * them are ever committed, unless it is divisible.
 *
 * @param divisible the records may be very many, and any number of them from the first on is a
 *     sound state too
 * @param <R> the reply's type
 */
public record Decision<R>(List<ApiMessageAndVersion> records, R reply, boolean divisible) {

    public Decision {
        records = List.copyOf(records);
    }

    /** All or nothing. */
    public Decision(List<ApiMessageAndVersion> records, R reply) {
        this(records, reply, false);
    }

    /** Nothing changes. */
    public static <R> Decision<R> reply(R reply) {
        return new Decision<>(List.of(), reply);
    }

    /** May be cut: its records are independent changes, or the last of them completes the rest. */
    public static <R> Decision<R> divisible(List<ApiMessageAndVersion> records, R reply) {
        return new Decision<>(records, reply, true);
    }

    /** A record at version 0. */
    public static ApiMessageAndVersion record(ApiMessage message) {
        return new ApiMessageAndVersion(message, (short) 0);
    }

    /**
     * A record that sets a configuration key of a resource.
     *
     * @param value null to take the setting away
     */
    public static ApiMessageAndVersion setting(ConfigResource resource, String key, String value) {
        return record(
                new ConfigRecord()
                        .setResourceType(resource.type().id())
                        .setResourceName(resource.name())
                        .setName(key)
                        .setValue(value));
    }
}
