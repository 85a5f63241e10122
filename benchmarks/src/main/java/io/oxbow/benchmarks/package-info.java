// SPDX-License-Identifier: Apache-2.0
/**
 * <b>Purpose.</b> Measurements: whole brokers beside Apache Kafka in one run ({@link
 * io.oxbow.benchmarks.Bench}), and single operations of the storage engine with JMH. The method is
 * written down in docs/benchmarks.md.
 *
 * <p><b>Depends on.</b> testkit for the processes. Nothing depends on this module. In here: peer
 * and client know nothing of each other's callers, frame uses peer, scenario uses all three, report
 * reads what frame gives.
 *
 * <p><b>Read first.</b> {@link io.oxbow.benchmarks.frame.Scenario}, {@link
 * io.oxbow.benchmarks.scenario.Catalogue}.
 */
package io.oxbow.benchmarks;
