// SPDX-License-Identifier: Apache-2.0
/**
 * <b>Purpose.</b> Group coordination: the {@code kafka-group-coordinator} library on our log. The
 * library holds the groups and decides; this module gives it a log to write to and to load from,
 * time, timers, metadata and the news of who leads.
 *
 * <p><b>Owns.</b> Which partitions of {@code __consumer_offsets} this broker coordinates.
 *
 * <p><b>Threads.</b> {@code group-coordinator-event-processor-N} of the library run the groups;
 * they alone may wait (bounded) for a lane. Loading runs on virtual threads {@code
 * oxbow-group-load-PARTITION}.
 *
 * <p><b>Depends on / must not depend on.</b> The library's types stay in this module and in {@code
 * server.handler.group}.
 *
 * <p><b>Read first.</b> {@link io.oxbow.coordination.Groups}, {@link
 * io.oxbow.coordination.runtime.LogPartitionWriter}.
 */
package io.oxbow.coordination;
