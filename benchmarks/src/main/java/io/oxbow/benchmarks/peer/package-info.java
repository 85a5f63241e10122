// SPDX-License-Identifier: Apache-2.0
/**
 * <b>Purpose.</b> The two brokers that are compared, each run as its users run it: its own start
 * command, its shipped options of the virtual machine, one gigabyte of heap, the same properties
 * file. And what the operating system says about their processes.
 *
 * <p><b>Depends on.</b> testkit for processes and places of jars.
 */
package io.oxbow.benchmarks.peer;
