// SPDX-License-Identifier: Apache-2.0
package io.oxbow.controller.decide;

import org.apache.kafka.common.protocol.Errors;

/**
 * Why something was not done.
 *
 * @param error Kafka's code for it
 * @param message what was refused, why, and what to do
 */
public record Refusal(Errors error, String message) {

    public short code() {
        return error.code();
    }
}
