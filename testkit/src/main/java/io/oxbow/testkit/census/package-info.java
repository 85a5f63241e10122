// SPDX-License-Identifier: Apache-2.0
/**
 * <b>Purpose.</b> Everything that a cluster serves, taken down through public requests so that two
 * moments, or two implementations on the same files, can be compared and told apart in words.
 */
package io.oxbow.testkit.census;
