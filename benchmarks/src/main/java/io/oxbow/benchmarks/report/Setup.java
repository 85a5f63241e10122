// SPDX-License-Identifier: Apache-2.0
package io.oxbow.benchmarks.report;

import java.util.List;

/**
 * Where and how results came about.
 *
 * @param command as it was typed
 * @param machine processors, memory, system
 * @param started UTC, to the second
 */
public record Setup(String command, String machine, String started, List<String> notes) {}
