// SPDX-License-Identifier: Apache-2.0
package io.oxbow.controller.decide;

import java.util.function.Function;
import org.apache.kafka.common.protocol.Errors;

/**
 * The result of one item of a request: a value, or a refusal that leaves the other items be.
 *
 * @param <T> the value's type
 */
public sealed interface Outcome<T> {

    /** It can be done. */
    record Accepted<T>(T value) implements Outcome<T> {}

    /** It cannot. */
    record Refused<T>(Refusal refusal) implements Outcome<T> {}

    static <T> Outcome<T> of(T value) {
        return new Accepted<>(value);
    }

    static <T> Outcome<T> refuse(Errors error, String message) {
        return new Refused<>(new Refusal(error, message));
    }

    /** Goes on with the value, if there is one. */
    default <U> Outcome<U> then(Function<? super T, Outcome<U>> next) {
        return switch (this) {
            case Accepted<T>(T value) -> next.apply(value);
            case Refused<T>(Refusal refusal) -> new Refused<>(refusal);
        };
    }
}
