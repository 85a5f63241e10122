// SPDX-License-Identifier: Apache-2.0
/**
 * <b>Purpose.</b> What a scenario is, how its pairs are run, and what follows from them: medians,
 * ratios with their spread, aims reached or not. Knows nothing of how anything is measured.
 *
 * <p><b>Read first.</b> {@link io.oxbow.benchmarks.frame.Scenario}, {@link
 * io.oxbow.benchmarks.frame.Pairs}.
 */
package io.oxbow.benchmarks.frame;
