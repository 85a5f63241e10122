// SPDX-License-Identifier: Apache-2.0
/**
 * <b>Purpose.</b> What is measured, one small class for each kind of figure, and the {@link
 * io.oxbow.benchmarks.scenario.Catalogue} of them all with their aims.
 *
 * <p><b>Threads.</b> A scenario and its session belong to the thread that runs the pairs.
 */
package io.oxbow.benchmarks.scenario;
