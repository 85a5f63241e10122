// SPDX-License-Identifier: Apache-2.0
/**
 * <b>Purpose.</b> Time as a parameter: clocks and timers that a simulation can replace.
 *
 * <p><b>Threads.</b> Timers of {@link io.oxbow.base.time.SystemScheduler} fire on the one thread
 * {@code oxbow-timer}; an action only posts to somebody's inbox.
 */
package io.oxbow.base.time;
