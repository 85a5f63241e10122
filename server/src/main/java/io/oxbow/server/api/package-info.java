// SPDX-License-Identifier: Apache-2.0
/**
 * <b>Purpose.</b> What a request is and how a handler answers it; and the way between frames and
 * requests: {@link io.oxbow.server.api.RequestDispatcher} reads them, {@link
 * io.oxbow.server.api.ResponseEncoder} writes the answers.
 *
 * <p><b>Threads.</b> Requests are read and handlers called on the connection's network thread;
 * answers come from any thread and are encoded on the network thread.
 *
 * <p><b>How to use.</b>
 *
 * <pre>{@code
 * RequestDispatcher dispatcher = new RequestDispatcher(List.of(produce, fetch, ...), clock);
 * NetServer server = NetServer.bind(netConfig, listeners, dispatcher, clock);
 * }</pre>
 *
 * <p><b>Read first.</b> {@link io.oxbow.server.api.Request}, {@link
 * io.oxbow.server.api.ApiHandler}.
 */
package io.oxbow.server.api;
