// SPDX-License-Identifier: Apache-2.0
/**
 * Disks that fail on demand: a library of C that stands between a broker's process and libc, built
 * by the tests themselves, and the file by which a test tells it what to spoil.
 *
 * <p><b>Formats.</b> {@link io.oxbow.testkit.fault.FaultFile} and the head of {@code faulty_disk.c}
 * describe the same bytes.
 *
 * <p><b>Read first.</b> {@link io.oxbow.testkit.fault.FaultyDisk}.
 */
package io.oxbow.testkit.fault;
