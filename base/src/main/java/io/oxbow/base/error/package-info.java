// SPDX-License-Identifier: Apache-2.0
/**
 * <b>Purpose.</b> The kinds of errors, divided by who must act on them. Expected outcomes are
 * results (sealed types), never exceptions.
 */
package io.oxbow.base.error;
