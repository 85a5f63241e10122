// SPDX-License-Identifier: Apache-2.0
/**
 * <b>Purpose.</b> What every other module stands on: time, threads, inboxes, invariants, kinds of
 * errors and files. Core code meets the machine only through here, so that a simulation can stand
 * in for the machine.
 *
 * <p><b>Depends on.</b> The JDK and the slf4j API; nothing else.
 *
 * <p><b>Read first.</b> {@link io.oxbow.base.Invariant}, {@link io.oxbow.base.thread.Inbox}, {@link
 * io.oxbow.base.file.FileSystem}.
 */
package io.oxbow.base;
