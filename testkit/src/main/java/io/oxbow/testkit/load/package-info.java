// SPDX-License-Identifier: Apache-2.0
/**
 * <b>Purpose.</b> What tests write into a cluster: records of every kind that Kafka has, and loads
 * that remember what was acknowledged.
 *
 * <p><b>Threads.</b> A load has one thread for each producer and joins it when it is stopped.
 */
package io.oxbow.testkit.load;
