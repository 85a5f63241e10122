// SPDX-License-Identifier: Apache-2.0
/**
 * <b>Purpose.</b> Oxbow and Apache Kafka as processes side by side, for tests and benchmarks: start
 * either on the same directories, load them, compare what they serve, break their disks.
 *
 * <p><b>Threads.</b> None of its own; loads start one thread for each client and join it.
 *
 * <p><b>Depends on.</b> {@code kafka-clients} and the JDK. Oxbow itself is only ever met as a
 * process, over the wire and through its files; the product never depends on this module.
 *
 * <p><b>Read first.</b> {@link io.oxbow.testkit.process.BrokerNode}, {@link
 * io.oxbow.testkit.census.Census}.
 */
package io.oxbow.testkit;
