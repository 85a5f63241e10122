// SPDX-License-Identifier: Apache-2.0
/**
 * <b>Purpose.</b> Sockets, frames and the order of responses; the only place for Netty. Requests
 * come in as {@link io.oxbow.net.InboundFrame}s, responses go out as {@link
 * io.oxbow.net.OutboundFrame}s; nothing here knows what is in them.
 *
 * <p><b>Owns.</b> Listeners, connections, the memory that requests are received into.
 *
 * <p><b>Threads.</b> {@code oxbow-accept} owns the listeners and the connection limits. {@code
 * oxbow-net-N} each own a share of the connections. Others complete {@link
 * io.oxbow.net.ResponseSlot}s; the answers of many slots of a connection share one wake-up and one
 * flush.
 *
 * <p><b>Formats.</b> A frame is a 4-byte big-endian length, then as many bytes.
 *
 * <p><b>How to use.</b>
 *
 * <pre>{@code
 * NetServer server = NetServer.bind(config, listeners, frameHandler, clock); // ports are taken
 * int port = server.port("PLAINTEXT");
 * server.serve();                                                            // accepts
 * server.close();                                                            // drains, closes
 * }</pre>
 *
 * <p><b>Depends on.</b> {@code base} and Netty. Must not know of Kafka's messages.
 *
 * <p><b>Read first.</b> {@link io.oxbow.net.Connection}, {@link io.oxbow.net.FrameHandler}, {@link
 * io.oxbow.net.ResponseSlot}.
 */
package io.oxbow.net;
