// SPDX-License-Identifier: Apache-2.0
/**
 * <b>Purpose.</b> The broker: one handler per API key, configuration, and the wiring of all
 * modules.
 *
 * <p><b>Threads.</b> Handlers run on the connection's network thread and never block; answers are
 * completed from any thread.
 *
 * <p><b>Read first.</b> {@link io.oxbow.server.api.Request}, {@link
 * io.oxbow.server.api.ApiHandler}.
 */
package io.oxbow.server;
