// SPDX-License-Identifier: Apache-2.0
/**
 * <b>Purpose.</b> Brokers and tools as operating-system processes. A {@link
 * io.oxbow.testkit.process.BrokerNode} is a place (directories, port, settings) where a process of
 * either {@link io.oxbow.testkit.process.Software} can run; swapping the process on the same place
 * is what the oracle tests do.
 *
 * <p><b>Owns.</b> The processes: each is killed when its handle is closed, and at the latest when
 * this virtual machine ends.
 */
package io.oxbow.testkit.process;
