// SPDX-License-Identifier: Apache-2.0
/**
 * <b>Purpose.</b> Ownership by thread: every mutable object has one owning thread, and others reach
 * it through a bounded {@link io.oxbow.base.thread.Inbox}.
 *
 * <p><b>Read first.</b> {@link io.oxbow.base.thread.Inbox}, {@link io.oxbow.base.thread.Owner}.
 */
package io.oxbow.base.thread;
