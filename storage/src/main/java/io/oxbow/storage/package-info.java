// SPDX-License-Identifier: Apache-2.0
/**
 * <b>Purpose.</b> The storage engine: partitions as directories of segments in Apache Kafka 4.4's
 * formats, spread over log directories with one lane (one writing thread) each.
 *
 * <p><b>Threads.</b> A {@link io.oxbow.storage.log.PartitionLog} has one owner, its lane. Everybody
 * else holds a {@link io.oxbow.storage.lane.HostedLog}, reads the immutable {@link
 * io.oxbow.storage.log.LogView} that the lane publishes and sends messages to the lane's inbox.
 *
 * <p><b>Depends on.</b> {@code base} and {@code kafka-clients}. Must not know of metadata, network
 * or configuration files.
 *
 * <p><b>Read first.</b> {@link io.oxbow.storage.log.PartitionLog}, {@link
 * io.oxbow.storage.lane.HostedLog}, {@link io.oxbow.storage.lane.LogPool}.
 */
package io.oxbow.storage;
