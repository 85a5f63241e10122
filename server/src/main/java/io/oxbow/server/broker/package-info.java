// SPDX-License-Identifier: Apache-2.0
/**
 * <b>Purpose.</b> A node: what it is made of, in which order that starts and stops, and its
 * standing with the controller.
 *
 * <p><b>Owns.</b> The wiring. {@link io.oxbow.server.broker.BrokerStart} is the list of steps,
 * {@link io.oxbow.server.broker.BrokerHandlers} says who answers what.
 *
 * <p><b>Threads.</b> {@code oxbow-fatal-stop}, once, when the node cannot go on; everything else
 * runs on the threads of the parts.
 *
 * <p><b>Depends on / must not depend on.</b> Everything; nothing but the launcher depends on it.
 *
 * <p><b>Read first.</b> {@link io.oxbow.server.broker.Broker}, {@link
 * io.oxbow.server.broker.BrokerStart}, {@link io.oxbow.server.broker.BrokerLifecycle}.
 */
package io.oxbow.server.broker;
