// SPDX-License-Identifier: Apache-2.0
/**
 * <b>Purpose.</b> Results as text for a terminal, as JSON for programs, and as one page with plots.
 * All pure: results in, text out.
 */
package io.oxbow.benchmarks.report;
