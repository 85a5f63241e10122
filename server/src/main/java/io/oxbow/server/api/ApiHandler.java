// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.api;

import org.apache.kafka.common.protocol.ApiKeys;

/**
 * Answers one API key. {@link #handle} runs on the connection's network thread and must not block;
 * the answer may come later, from any thread. A {@link io.oxbow.base.error.ClientException} thrown
 * by it becomes the request's error response.
 */
public interface ApiHandler {

    ApiKeys key();

    void handle(Request request);
}
