// SPDX-License-Identifier: Apache-2.0
package io.oxbow.controller.decide;

import java.util.List;
import java.util.function.Function;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.server.common.ApiMessageAndVersion;

/**
 * What a decider gives: the records that make it so, in order, and the reply that becomes true when
 * they are committed. The records of one decision are appended together: all or none of them are
 * ever committed.
 *
 * @param <R> the reply's type
 */
public record Decision<R>(List<ApiMessageAndVersion> records, R reply) {

    public Decision {
        records = List.copyOf(records);
    }

    /** Nothing changes. */
    public static <R> Decision<R> reply(R reply) {
        return new Decision<>(List.of(), reply);
    }

    /** The same records with another reply. */
    public <T> Decision<T> map(Function<? super R, ? extends T> change) {
        return new Decision<>(records, change.apply(reply));
    }

    /** A record at version 0. */
    public static ApiMessageAndVersion record(ApiMessage message) {
        return new ApiMessageAndVersion(message, (short) 0);
    }
}
