// SPDX-License-Identifier: Apache-2.0
/**
 * <b>Purpose.</b> The loads: Kafka's own Java client where a user's client is what matters, and
 * lean ones on plain sockets where the client would otherwise be what is measured. Always the same
 * one for both peers.
 *
 * <p><b>Threads.</b> Each load starts its own threads and has joined them when it returns.
 */
package io.oxbow.benchmarks.client;
